// What the page says of itself once its own script has run; the test appends this to a copy of the page.
window.addEventListener('load', () => {
  const all = (what, root = document) => [...root.querySelectorAll(what)];
  const said = { errors: window.problems, requests: performance.getEntriesByType('resource').map((e) => e.name) };
  said.dark = matchMedia('(prefers-color-scheme: dark)').matches;
  // Most parts are closed at first; what they hold is looked at open.
  const closed = () => all('details:not([open])').length;
  said.closed = closed();
  // Each node of the map leads to an entry, which opens.
  const map = all('.map svg').find((svg) => svg.getBoundingClientRect().width > 0);
  said.nodes = all('a', map).map((a) => a.getAttribute('href').slice(1));
  said.mapWidth = map.getBoundingClientRect().width;
  said.textSize = Math.min(...all('text', map).map((t) => t.getBoundingClientRect().height));
  all('a', map)[0].dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  said.opens = document.getElementById(said.nodes[0]).querySelector('details').open;
  document.getElementById(said.nodes[0]).querySelector('details').open = false;
  const folded = all('details:not([open])');
  folded.forEach((d) => { d.open = true; });
  // Nothing but the inside of a scroller is wider than the window; figures shrink with it.
  said.wide = all('main *').filter((e) => !e.closest('.scroll, .equation') && e.getBoundingClientRect().right > window.innerWidth + 1).map((e) => `${e.tagName} ${e.className.baseVal ?? e.className}`);
  said.figures = all('figure > svg').length;
  said.anchors = all('article').map((a) => a.id);
  said.formulas = all('article math').filter((m) => m.getBoundingClientRect().width > 20).length;
  said.overflow = document.documentElement.scrollWidth - window.innerWidth;
  said.width = window.innerWidth;
  folded.forEach((d) => { d.open = false; });
  // What the widest table keeps behind a scroll bar.
  const widest = document.getElementById('cells').parentElement;
  said.hidden = widest.scrollWidth - widest.clientWidth;
  said.lost = all('a[href^="#"]').map((a) => a.getAttribute('href').slice(1)).filter((id) => !document.getElementById(id));

  // Sorting: a click on a header sorts up, a second one down; empty cells are last both ways.
  const rows = (table) => [...table.tBodies[0].rows].filter((r) => !r.hidden);
  const column = (table, i) => rows(table).map((r) => r.cells[i].textContent.trim());
  said.sorted = {};
  const sort = (id, i, read) => {
    const table = document.getElementById(id), head = table.tHead.rows[0].cells[i];
    const button = head.querySelector('[role=button]');
    const once = () => { button.click(); return column(table, i).filter((t) => t && t !== '–').map(read); };
    said.sorted[`${id} ${head.textContent.trim()}`] = { up: once(), down: once() };
  };
  sort('cells', 4, Number);
  sort('cells', 9, parseFloat);
  sort('cells', 10, Number);
  sort('cells', 2, String);
  sort('cells', 5, String);
  sort('verdicts', 0, String);
  sort('verdicts', 4, parseFloat);

  // Filters: with each choice, what is left in the column.
  const cells = document.getElementById('cells');
  said.total = rows(cells).length;
  said.filters = {};
  for (const [name, i] of [['protocol', 1], ['data set', 2], ['learner', 6]]) {
    const select = document.querySelector(`select[data-column="${i}"]`);
    const choose = (value) => { select.value = value; select.dispatchEvent(new Event('input', { bubbles: true })); };
    said.filters[name] = [...select.options].slice(1).map((o) => {
      choose(o.value);
      const left = column(cells, i);
      return { choice: o.value, left: [...new Set(left)], rows: left.length, said: document.getElementById('shown').textContent };
    });
    choose('');
  }
  const form = document.getElementById('filters');
  said.reloads = form.dispatchEvent(new Event('submit', { cancelable: true }));

  // On paper every part is open; afterwards as before.
  window.dispatchEvent(new Event('beforeprint'));
  said.closedOnPaper = closed();
  window.dispatchEvent(new Event('afterprint'));
  said.closedAfter = closed();

  // For those who do not see or do not point.
  const sortsByKey = (head) => {
    const button = head.querySelector('[role=button]');
    if (!button || button.tabIndex !== 0) return false;
    head.removeAttribute('aria-sort');
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    return head.hasAttribute('aria-sort');
  };
  said.unnamed = {
    'th without scope': all('th:not([scope])').length,
    'table without caption': all('table').filter((t) => !t.caption).length,
    'figure without caption': all('figure').filter((f) => !f.querySelector('figcaption')).length,
    'scroller that a key cannot reach': all('.scroll:not([tabindex])').length,
    'header that a key cannot sort': all('table.sortable th').filter((h) => !sortsByKey(h)).length,
  };

  // Contrast of every kind of text against the ground it stands on.
  const light = (c) => { const v = c.match(/[\d.]+/g).slice(0, 3).map((x) => x / 255).map((x) => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4); return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
  const ground = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (c !== 'rgba(0, 0, 0, 0)') return c; } return 'rgb(255, 255, 255)'; };
  said.ground = light(ground(document.body));
  let worst = 99, where = '';
  const kinds = 'p, li, td, th, a, span, h1, h2, h3, summary, code, b, i, sub, label, select, option, output, dt, dd, caption, figcaption, cite';
  said.looked = [...new Set(all(kinds).map((e) => e.tagName.toLowerCase()))];
  for (const e of all(kinds)) {
    if (!e.textContent.trim() || e.closest('svg')) continue;
    const [a, b] = [light(getComputedStyle(e).color), light(ground(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < worst) { worst = ratio; where = `${e.tagName} ${e.className} ${e.textContent.slice(0, 30)}`; }
  }
  said.contrast = worst;
  said.where = where;
  const out = document.createElement('pre');
  out.id = 'said';
  out.textContent = JSON.stringify(said);
  document.body.append(out);
});
