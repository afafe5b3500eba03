// SPDX-License-Identifier: Apache-2.0
// What a reader chose, in the fragment of the address, so that a view can be sent: "#messages&show.messages=bandwidth".
const held = new Map<string, string>();
let part = "",
  waiting = 0;

function text(): string {
  const words = [...held].map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`);
  return [part, ...words].join("&");
}

function parse(fragment: string): void {
  held.clear();
  const [first, ...words] = fragment.replace(/^#/, "").split("&");
  part = first;
  for (const word of words) {
    const at = word.indexOf("=");
    if (at <= 0) continue;
    try {
      held.set(decodeURIComponent(word.slice(0, at)), decodeURIComponent(word.slice(at + 1)));
    } catch {
      // an address that somebody cut off: the rest still counts
    }
  }
}

function write(): void {
  clearTimeout(waiting);
  waiting = window.setTimeout(() => history.replaceState(null, "", `#${text()}`), 150);
}

export function chosen(key: string): string | undefined {
  return held.get(key);
}

/** Nothing: as at first. */
export function choose(key: string, value: string | undefined): void {
  if (value === undefined || value === "") held.delete(key);
  else held.set(key, value);
  write();
}

/** To the part that the address names; a browser finds it by itself only where nothing else stands behind it. */
export function scrollToPart(): void {
  if (held.size > 0) document.getElementById(part)?.scrollIntoView();
}

export function readState(): void {
  parse(location.hash);
  window.addEventListener("hashchange", () => {
    const fragment = location.hash.replace(/^#/, "");
    if (fragment === text()) return;
    if (fragment.includes("&")) location.reload();
    else {
      // a link of the page: the choices stay
      part = fragment;
      if (held.size > 0) write();
    }
  });
}
