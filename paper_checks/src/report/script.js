// Sorting, filtering and printing; the page is complete without it.
(() => {
  const text = (row, i) => row.cells[i].textContent.trim();
  // A number comes first in its cell, or after its name and a colon.
  const number = (s) => { const m = s.match(/^[-−]?[\d.]+(e[-+]?\d+)?(?=$|[\s[(])/i); return m ? parseFloat(m[0].replace('−', '-')) : NaN; };
  for (const table of document.querySelectorAll('table.sortable')) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, i) => {
      // Not a `button`: on paper a table's head is repeated on every sheet, and browsers leave buttons out of it.
      const button = document.createElement('span');
      button.setAttribute('role', 'button');
      button.tabIndex = 0;
      button.addEventListener('keydown', (e) => { if (e.key === 'Enter' || e.key === ' ') { e.preventDefault(); button.click(); } });
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener('click', () => {
        const down = head.getAttribute('aria-sort') === 'ascending';
        heads.forEach((h) => h.removeAttribute('aria-sort'));
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        const rows = [...table.tBodies[0].rows];
        rows.sort((a, b) => {
          const [x, y] = [text(a, i), text(b, i)], [p, q] = [number(x), number(y)];
          // Empty cells last, whichever way; numbers as numbers.
          const [none, nor] = [x, y].map((s) => !s || s === '–');
          if (none || nor) return none - nor;
          const order = Number.isNaN(p) || Number.isNaN(q) ? x.localeCompare(y) : p - q;
          return down ? -order : order;
        });
        table.tBodies[0].append(...rows);
      });
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
    cells.classList.toggle('filtered', shown < rows.length);
    document.getElementById('shown').textContent = `${shown} of ${rows.length} rows`;
  };
  filters.addEventListener('input', apply);
  // Enter in a field would load the page again.
  filters.addEventListener('submit', (e) => e.preventDefault());
  apply();
  // Whoever follows a link to a folded part wants to read it.
  const unfold = (id) => {
    const target = id && document.getElementById(id);
    if (!target) return;
    target.querySelector('details.entry')?.setAttribute('open', '');
    for (let up = target; up; up = up.parentElement) if (up.tagName === 'DETAILS') up.open = true;
    target.scrollIntoView();
  };
  document.addEventListener('click', (e) => { const a = e.target.closest?.('a[href^="#"]'); if (a) unfold(a.getAttribute('href').slice(1)); });
  window.addEventListener('hashchange', () => unfold(location.hash.slice(1)));
  unfold(location.hash.slice(1));
  // On paper nothing can be opened.
  let closed = [];
  window.addEventListener('beforeprint', () => { closed = [...document.querySelectorAll('details:not([open])')]; closed.forEach((d) => { d.open = true; }); });
  window.addEventListener('afterprint', () => { closed.forEach((d) => { d.open = false; }); closed = []; });
})();
