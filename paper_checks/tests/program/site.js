// Opens each page of the site in a frame of each width, and says what a reader would stumble over there.
const open = (page, width) => new Promise((done) => {
  const frame = document.createElement('iframe');
  frame.style = `width:${width}px;height:900px;border:0`;
  frame.onload = () => done(frame);
  frame.src = page;
  document.body.append(frame);
});
const look = (frame, page) => {
  const root = frame.contentDocument, width = root.documentElement.clientWidth;
  const all = (what) => [...root.querySelectorAll(what)];
  // What scrolls by itself may be wider than the window inside.
  const style = (e) => frame.contentWindow.getComputedStyle(e);
  const inside = (e) => e && e !== root.body && (['auto', 'scroll'].includes(style(e).overflowX) || inside(e.parentElement));
  const beyond = (e) => e.getBoundingClientRect().right > width + 1 && !inside(e.parentElement);
  const links = all('a[href]').map((a) => a.getAttribute('href')).filter((link) => !link.includes('://'));
  const seen = all('.picture svg').filter((svg) => svg.getBoundingClientRect().width > 0);
  return {
    page, frame: frame.contentWindow.innerWidth,
    overflow: root.documentElement.scrollWidth - width,
    beyond: all('body *').filter(beyond).map((e) => `${e.tagName} ${e.textContent.slice(0, 40)}`),
    code: all('pre').length,
    cut: all('pre').filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent.slice(0, 60)),
    ids: all('[id]').map((e) => e.id),
    links,
    boxes: seen.flatMap((svg) => [...svg.querySelectorAll('a text')]).map((t) => t.getBoundingClientRect().height),
  };
};
(async () => {
  const said = [];
  for (const width of WIDTHS) {
    for (const page of PAGES) {
      const frame = await open(page, width);
      said.push(look(frame, page));
      frame.remove();
    }
  }
  const there = (from, link) => {
    const [file, anchor] = link.split('#');
    const to = said.find((of) => of.page === (file || from.page));
    return to && (anchor === undefined || to.ids.includes(decodeURIComponent(anchor)));
  };
  for (const from of said) from.lost = from.links.filter((link) => !there(from, link));
  for (const of of said) { delete of.ids; delete of.links; }
  const out = document.createElement('pre');
  out.id = 'said';
  out.textContent = JSON.stringify(said);
  document.body.append(out);
})();
