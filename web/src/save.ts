// SPDX-License-Identifier: Apache-2.0
// A chart as a file of its own: title, drawing and legend in one SVG without names of colours, or the same as PNG.
const space = "http://www.w3.org/2000/svg";
const titleHeight = 26,
  lineHeight = 18,
  margin = 10,
  dense = 2;

// Characters that may stand in a name of a page and in no XML.
const noXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function node(name: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const made = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}

/** A drawing or a canvas at its place in the picture. */
function placed(part: SVGSVGElement | HTMLCanvasElement, x: number, y: number): SVGElement {
  const { width, height } = part.getBoundingClientRect();
  if (part instanceof HTMLCanvasElement) return node("image", { x, y, width, height, href: part.toDataURL() });
  const copy = part.cloneNode(true) as SVGSVGElement;
  for (const [key, value] of Object.entries({ x, y, width, height, overflow: "visible" })) copy.setAttribute(key, String(value));
  return copy;
}

/** Words of the legend that are shown, in lines of the given width. */
function legend(figure: Element, width: number): SVGElement[] {
  const parts: SVGElement[] = [],
    shown = figure.querySelectorAll<HTMLElement>(".legend button:not([aria-pressed=false])");
  let x = margin,
    y = 0;
  for (const button of shown) {
    const words = button.textContent ?? "",
      length = 36 + 6.6 * words.length;
    if (x > margin && x + length > width) [x, y] = [margin, y + lineHeight];
    const swatch = button.querySelector("svg")!.cloneNode(true) as SVGElement;
    swatch.setAttribute("x", String(x));
    swatch.setAttribute("y", String(y));
    swatch.setAttribute("overflow", "visible");
    parts.push(swatch, node("text", { x: x + 27, y: y + 9, "font-size": 12, fill: "currentColor" }, words));
    x += length;
  }
  const scale = figure.querySelector(".scale");
  if (scale)
    parts.push(
      node(
        "text",
        { x: margin, y: y + (shown.length ? lineHeight : 0) + 9, "font-size": 12, fill: "currentColor" },
        [...scale.children].map((one) => one.textContent || "…").join(" "),
      ),
    );
  return parts;
}

/** The text of one SVG; nothing where nothing is drawn. */
export function picture(figure: Element): { text: string; width: number; height: number } | undefined {
  const place = figure.querySelector<HTMLElement>(".drawing")!,
    box = place.getBoundingClientRect();
  const parts = [...place.querySelectorAll<SVGSVGElement | HTMLCanvasElement>("svg, canvas")].filter(
    (part) => !part.parentElement?.closest("svg"),
  );
  if (parts.length === 0) return undefined;
  const style = getComputedStyle(place),
    color = (name: string) => style.getPropertyValue(name).trim();
  const width = Math.ceil(box.width) + 2 * margin;
  const words = legend(figure, width),
    lines = words.length === 0 ? 0 : Math.max(...words.map((one) => Number(one.getAttribute("y")))) + lineHeight;
  const height = Math.ceil(box.height) + titleHeight + lines + 2 * margin;
  const whole = node("svg", {
    xmlns: space,
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    color: color("--text"),
    "font-family": "system-ui, sans-serif",
    "font-size": 11,
  });
  const low = node("g", { transform: `translate(0 ${height - lines - margin + 4})` });
  low.append(...words);
  whole.append(
    node("style", {}, "text, tspan { white-space: pre; }"),
    node("rect", { width, height, fill: color("--card") }),
    node(
      "text",
      { x: margin, y: margin + 12, "font-size": 15, "font-weight": 600, fill: "currentColor" },
      figure.querySelector("h3")?.textContent ?? "",
    ),
    ...parts.map((part) => {
      const at = part.getBoundingClientRect();
      return placed(part, margin + at.left - box.left, margin + titleHeight + at.top - box.top);
    }),
    low,
  );
  const named = new XMLSerializer().serializeToString(whole).replace(noXml, "");
  return { text: named.replace(/var\((--[\w-]+)\)/g, (_, name: string) => color(name) || color("--card")), width, height };
}

function offer(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const fileName = (figure: Element) => (figure.querySelector("h3")?.textContent ?? "chart").replace(/[^\w.-]+/g, "_");

function savePng(one: { text: string; width: number; height: number }, name: string): void {
  const image = new Image(),
    address = URL.createObjectURL(new Blob([one.text], { type: "image/svg+xml" }));
  image.onload = () => {
    const paper = document.createElement("canvas");
    paper.width = one.width * dense;
    paper.height = one.height * dense;
    paper.getContext("2d")!.drawImage(image, 0, 0, paper.width, paper.height);
    URL.revokeObjectURL(address);
    paper.toBlob((content) => {
      if (content) offer(content, name);
    }, "image/png");
  };
  image.src = address;
}

/** Saves a figure of the page: "svg" or "png". */
export function save(figure: Element, form: "svg" | "png"): void {
  const one = picture(figure);
  if (!one) return;
  const name = `${fileName(figure)}.${form}`;
  if (form === "svg") offer(new Blob([one.text], { type: "image/svg+xml" }), name);
  else savePng(one, name);
}
