import type { Point } from './slope.ts';

export interface Plot {
  readonly title: string;
  /** The unit of the values. */
  readonly unit: string;
  readonly lines: ReadonlyMap<string, readonly Point[]>;
}

const WIDTH = 760;
const HEIGHT = 240;
const MARGIN = { left: 64, right: 150, top: 28, bottom: 30 };
const colours = ['#1b6ca8', '#c2410c', '#15803d', '#7e22ce', '#a16207', '#be123c', '#0f766e'];
const MAX_POINTS = 600;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const rounded = (value: number): string => Number(value.toPrecision(3)).toLocaleString('en');

/** Lines over hours, as an SVG picture. */
export function plotOf({ title, unit, lines }: Plot): string {
  const all = [...lines.values()].flat();
  const [maxX, maxY] = [most(all.map(({ x }) => x)), most(all.map(({ y }) => y)) * 1.05];
  const width = WIDTH - MARGIN.left - MARGIN.right;
  const height = HEIGHT - MARGIN.top - MARGIN.bottom;
  const at = ({ x, y }: Point): string =>
    `${(MARGIN.left + (x / maxX) * width).toFixed(1)},${(MARGIN.top + height - (y / maxY) * height).toFixed(1)}`;
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const rows = ticks.map((part) => {
    const y = (MARGIN.top + height * (1 - part)).toFixed(1);
    return `<line x1="${MARGIN.left}" x2="${MARGIN.left + width}" y1="${y}" y2="${y}" stroke="#ddd"/><text x="${MARGIN.left - 6}" y="${y}" dy="4" text-anchor="end">${rounded(maxY * part)}</text>`;
  });
  const columns = ticks.map(
    (part) =>
      `<text x="${MARGIN.left + width * part}" y="${HEIGHT - 10}" text-anchor="middle">${rounded(maxX * part)} h</text>`,
  );
  const curves = [...lines].map(([name, points], i) => {
    const colour = colours[i % colours.length];
    const y = MARGIN.top + 8 + i * 16;
    return `<polyline fill="none" stroke="${colour}" stroke-width="1.3" points="${thinned(points).map(at).join(' ')}"/><text x="${WIDTH - MARGIN.right + 10}" y="${y}" fill="${colour}">${escaped(name)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="11">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${MARGIN.left}" y="16" font-size="13">${escaped(title)}, ${escaped(unit)}</text>`,
    ...rows,
    ...columns,
    ...curves,
    '</svg>\n',
  ].join('\n');
}

/** At least a little above zero, so that it can divide. */
const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 1e-9);

/** Every so many points, so that a picture of a day is not larger than one of an hour. */
const thinned = (points: readonly Point[]): readonly Point[] => {
  const step = Math.ceil(points.length / MAX_POINTS);
  return points.filter((_, i) => i % step === 0);
};
