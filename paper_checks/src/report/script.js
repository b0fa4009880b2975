// Sorting and filtering; the page is complete without it.
(() => {
  const text = (row, i) => row.cells[i].textContent.trim();
  const number = (s) => { const m = s.match(/^[-−]?[\d.]+(e[-+]?\d+)?/i); return m ? parseFloat(m[0].replace('−', '-')) : NaN; };
  for (const table of document.querySelectorAll('table.sortable')) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, i) => {
      head.tabIndex = 0;
      const sort = () => {
        const down = head.getAttribute('aria-sort') === 'ascending';
        heads.forEach((h) => h.removeAttribute('aria-sort'));
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        const rows = [...table.tBodies[0].rows];
        rows.sort((a, b) => {
          const [x, y] = [text(a, i), text(b, i)], [p, q] = [number(x), number(y)];
          // Empty cells last, whichever way; numbers as numbers.
          if (!x || !y) return (x ? 0 : 1) - (y ? 0 : 1);
          const order = Number.isNaN(p) || Number.isNaN(q) ? x.localeCompare(y) : p - q;
          return down ? -order : order;
        });
        table.tBodies[0].append(...rows);
      };
      head.addEventListener('click', sort);
      head.addEventListener('keydown', (e) => { if (e.key === 'Enter') sort(); });
    });
  }
  const cells = document.getElementById('cells'), filters = document.getElementById('filters');
  const rows = [...cells.tBodies[0].rows], selects = [...filters.querySelectorAll('select')];
  for (const select of selects) {
    for (const value of [...new Set(rows.map((r) => text(r, select.dataset.column)))].sort()) select.add(new Option(value, value));
  }
  const apply = () => {
    const printed = document.getElementById('printed-only').checked;
    let shown = 0;
    for (const row of rows) {
      const fits = selects.every((s) => !s.value || text(row, s.dataset.column) === s.value) && (!printed || text(row, 8));
      row.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    document.getElementById('shown').textContent = `${shown} of ${rows.length} rows`;
  };
  filters.addEventListener('input', apply);
  apply();
})();
