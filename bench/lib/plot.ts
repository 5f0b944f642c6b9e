/** Plots as SVG, in the colours of the theme of the reader, where the viewer knows it. */

const WIDTH = 720;
const STYLE = `<style>
svg{--ground:#fff;--text:#1f2937;--grid:#d1d5db;--c0:#2563eb;--c1:#c2410c;--c2:#15803d;--c3:#7c3aed}
@media (prefers-color-scheme:dark){svg{--ground:#0d1117;--text:#e5e7eb;--grid:#374151;--c0:#60a5fa;--c1:#fb923c;--c2:#4ade80;--c3:#c4b5fd}}
text{font:12px system-ui,sans-serif;fill:var(--text)}.title{font-size:14px;font-weight:600}.end{text-anchor:end}.middle{text-anchor:middle}
.ground{fill:var(--ground)}.grid{stroke:var(--grid)}.line{fill:none;stroke-width:2}
</style>`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const at = (value: number): string => value.toFixed(1);

const label = (x: number, y: number, text: string, kind = ''): string =>
  `<text x="${at(x)}" y="${at(y)}" class="${kind}">${escaped(text)}</text>`;

const rule = (x1: number, y1: number, x2: number, y2: number): string =>
  `<line class="grid" x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}"/>`;

const colour = (i: number): string => `var(--c${i % 4})`;

function picture(title: string, height: number, parts: readonly string[]): string {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title">`;
  const ground = `<rect class="ground" width="${WIDTH}" height="${height}"/>`;
  return [
    head,
    `<title id="title">${escaped(title)}</title>`,
    STYLE,
    ground,
    label(16, 22, title, 'title'),
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

/** A row of a plot of ranges: a bar from one value to another, and a mark. */
export interface Range {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly mark: number;
}

const ROW = 22;

/** A bar for each range over a logarithmic axis: for latencies, from the median to the 99th percentile, with the objective as mark. */
export function rangePlot(title: string, ranges: readonly Range[], unit: string): string {
  const [left, right, top] = [220, WIDTH - 48, 40];
  const bottom = top + ranges.length * ROW + 6;
  const positive = ranges.flatMap(({ from, to, mark }) => [from, to, mark]).filter((value) => value > 0);
  const first = Math.floor(Math.log10(Math.min(1, ...positive)));
  const last = Math.ceil(Math.log10(Math.max(10, ...positive)));
  const x = (value: number): number =>
    left + ((Math.log10(Math.max(value, 10 ** first)) - first) / (last - first)) * (right - left);
  const parts: string[] = [];
  for (let power = first; power <= last; power++) {
    parts.push(rule(x(10 ** power), top, x(10 ** power), bottom));
    parts.push(label(x(10 ** power), bottom + 16, `${short(10 ** power)} ${unit}`, 'middle'));
  }
  for (const [i, { name, from, to, mark }] of ranges.entries()) {
    const y = top + i * ROW + ROW / 2;
    const width = Math.max(3, x(to) - x(from));
    parts.push(label(left - 8, y + 4, name, 'end'));
    parts.push(
      `<rect x="${at(x(from))}" y="${at(y - 5)}" width="${at(width)}" height="10" rx="3" fill="${colour(0)}"/>`,
    );
    parts.push(
      `<line x1="${at(x(mark))}" x2="${at(x(mark))}" y1="${at(y - 8)}" y2="${at(y + 8)}" stroke="${colour(1)}" stroke-width="3"/>`,
    );
  }
  return picture(title, bottom + 28, parts);
}

/** A line through points in the order of x. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Without points, as values that are calculated. */
  readonly isDashed?: boolean;
}

interface Axes {
  readonly x: string;
  readonly y: string;
}

const HEIGHT = 320;
const STEPS = 5;

/** The least of 1, 2 and 5 times a power of ten that is at least a value. */
function roundedUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

/** Lines over axes that begin with zero. */
export function linePlot(title: string, series: readonly Series[], axes: Axes): string {
  const [left, right, top, bottom] = [70, WIDTH - 24, 64, HEIGHT - 46];
  const all = series.flatMap(({ points }) => points);
  const widest = roundedUp(Math.max(0, ...all.map(([x]) => x)));
  const highest = roundedUp(Math.max(0, ...all.map(([, y]) => y)));
  const x = (value: number): number => left + (value / widest) * (right - left);
  const y = (value: number): number => bottom - (value / highest) * (bottom - top);
  const parts: string[] = [label(left, HEIGHT - 10, axes.x), label(left - 8, top - 10, axes.y, 'end')];
  for (let step = 0; step <= STEPS; step++) {
    const [across, up] = [(widest * step) / STEPS, (highest * step) / STEPS];
    parts.push(rule(left, y(up), right, y(up)), label(left - 8, y(up) + 4, short(up), 'end'));
    parts.push(label(x(across), bottom + 18, short(across), 'middle'));
  }
  let next = left;
  for (const [i, { name, points, isDashed }] of series.entries()) {
    const path = points.map(([px, py], j) => `${j === 0 ? 'M' : 'L'}${at(x(px))},${at(y(py))}`).join('');
    const dashes = isDashed === true ? ' stroke-dasharray="5 4"' : '';
    parts.push(`<path class="line" d="${path}" stroke="${colour(i)}"${dashes}/>`);
    if (isDashed !== true)
      for (const [px, py] of points)
        parts.push(`<circle cx="${at(x(px))}" cy="${at(y(py))}" r="3.5" fill="${colour(i)}"/>`);
    parts.push(`<rect x="${at(next)}" y="36" width="10" height="10" fill="${colour(i)}"/>`);
    parts.push(label(next + 15, 45, name));
    next += 34 + name.length * 6.5;
  }
  return picture(title, HEIGHT, parts);
}

const short = (value: number): string =>
  value >= 1000 ? value.toLocaleString('en') : String(Number(value.toPrecision(3)));
