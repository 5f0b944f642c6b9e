export interface TrendProps {
  readonly title: string;
  /** The unit of the values. */
  readonly unit: string;
  /** The oldest first. */
  readonly points: readonly { readonly timeMs: number; readonly value: number }[];
}

/** Sizes of the drawing. */
const width = 240;
const height = 48;

/** The last value of a series, and its values over time as a line. */
export function Trend({ title, unit, points }: TrendProps) {
  const values = points.map(({ value }) => value);
  const firstMs = points[0]?.timeMs ?? 0;
  const spanMs = Math.max(1, (points.at(-1)?.timeMs ?? 0) - firstMs);
  const last = values.at(-1) ?? 0;
  const top = Math.max(...values, 1e-9);
  const corners = points.map(
    ({ timeMs, value }) =>
      `${((timeMs - firstMs) / spanMs) * width},${height - 2 - (value / top) * (height - 4)}`,
  );
  return (
    <figure class="trend">
      <figcaption>{title}</figcaption>
      <p>
        <strong>{numberText(last)}</strong>
        {unit === '' ? '' : ` ${unit}`}
        <span class="quiet">{`, at most ${numberText(Math.max(0, ...values))}`}</span>
      </p>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <polyline points={corners.join(' ')} vector-effect="non-scaling-stroke" />
      </svg>
    </figure>
  );
}

/** A number for people: three digits. */
export const numberText = (value: number): string =>
  value >= 100 || Number.isInteger(value) ? String(Math.round(value)) : String(Number(value.toPrecision(2)));
