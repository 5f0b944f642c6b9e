import type { MetricsFormat } from '../metrics.ts';
import type { PeerSamples } from './peer-samples.ts';

/** The first lines of a family. */
export interface FamilyHead {
  readonly name: string;
  readonly type: string;
  /** Escaped as the text format requires. */
  readonly help: string;
}

/** Lines of a metrics response. */
export interface Exposition {
  readonly format: MetricsFormat;
  readonly lines: string[];
  /** Reports whether another family has the name. */
  readonly hasFamily: (name: string) => boolean;
  /** The values of other threads, which are added. */
  readonly peers?: PeerSamples | undefined;
}

/** Appends a sample. The key is the text before the value. */
export function addSample(
  { lines, peers }: Exposition,
  [key, value]: readonly [key: string, value: number],
  suffix = '',
): void {
  const total = peers === undefined ? value : peers.combined(key, value);
  lines.push(`${key} ${sampleText(total)}${suffix}`);
}

/** A number in the text format. */
export const sampleText = (value: number): string =>
  value === Infinity ? '+Inf' : value === -Infinity ? '-Inf' : String(value);

const TOTAL = '_total';
const unit = /_(seconds|bytes)$/;

/**
 * Appends the lines that declare a family. In OpenMetrics a counter has the name of its samples without `_total`; one whose
 * samples do not end with it, or whose name another family has, is of unknown type.
 */
export function declareFamily({ format, lines, hasFamily }: Exposition, head: FamilyHead): void {
  const { name, type, help } = head;
  if (format === 'text') {
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    return;
  }
  const short = type === 'counter' && name.endsWith(TOTAL) ? name.slice(0, -TOTAL.length) : undefined;
  const declared = short === undefined || hasFamily(short) ? name : short;
  lines.push(`# TYPE ${declared} ${type === 'counter' && declared === name ? 'unknown' : type}`);
  const [, found] = unit.exec(declared) ?? [];
  if (found !== undefined) lines.push(`# UNIT ${declared} ${found}`);
  lines.push(`# HELP ${declared} ${help.replaceAll('"', '\\"')}`);
}

/** Appends families in the text format, as libraries return them. */
export function addText(exposition: Exposition, text: string): void {
  let help = '';
  for (const line of text.split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? [];
    if (kind === 'HELP') help = rest;
    else if (kind === 'TYPE') declareFamily(exposition, { name, type: rest, help });
    else if (line !== '' && !line.startsWith('#')) exposition.lines.push(line);
  }
}
