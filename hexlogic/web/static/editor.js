// A text area with the place of a problem underlined; the marked text lies below it.

const element = (id) => document.getElementById(id);

function scroll() {
  element("under").scrollTop = element("text").scrollTop;
  element("under").scrollLeft = element("text").scrollLeft;
}

export function startEditor() {
  element("text").onscroll = scroll;
}

// Show places, `{line, column, kind}`: the word at each is underlined.
export function underline(places) {
  const text = element("text").value;
  const lines = text.split("\n");
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1) + line.length + 1);
  const marks = places
    .filter((place) => place?.line && place.line <= lines.length)
    .map((place) => [starts[place.line - 1] + (place.column ?? 1) - 1, place.kind ?? "error"])
    .sort(([one], [other]) => one - other);
  const under = element("under");
  under.replaceChildren();
  let end = 0;
  for (const [start, kind] of marks) {
    if (start < end) continue;
    const word = text.slice(start).match(/^([\w?-]+|[^\s\w])/)?.[0] ?? " ";
    under.append(text.slice(end, start), Object.assign(document.createElement("mark"), { textContent: word, className: kind }));
    end = start + word.length;
  }
  if (marks.length > 0) under.append(text.slice(end));
  scroll();
}

// Put the cursor at a line and show it.
export function goTo(line) {
  const area = element("text");
  const lines = area.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
  area.scrollTop = (area.scrollHeight / lines.length) * Math.max(0, line - 4);
}
