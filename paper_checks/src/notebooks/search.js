// Finds sections of the notebooks whose text has every word that was typed.
const box = document.getElementById("search");
const hits = document.getElementById("hits");
box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\s+/).filter((w) => w.length > 1);
  hits.replaceChildren();
  if (words.length === 0) return;
  const found = SECTIONS.filter((s) => {
    const all = (s.notebook + " " + s.heading + " " + s.text).toLowerCase();
    return words.every((w) => all.includes(w));
  });
  for (const s of found.slice(0, 30)) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = s.link;
    link.textContent = s.notebook + ": " + s.heading;
    const at = Math.max(0, s.text.toLowerCase().indexOf(words[0]) - 60);
    const around = document.createElement("p");
    around.textContent = "… " + s.text.slice(at, at + 160) + " …";
    item.append(link, around);
    hits.append(item);
  }
  if (found.length === 0) hits.textContent = "No section has all of these words.";
});
