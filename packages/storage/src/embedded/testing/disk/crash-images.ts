import { createHash } from 'node:crypto';
import { messageOf, type Random } from '@orch/machinery';
import { checkImage } from './check-crash.ts';
import { DIRECTORY, type DiskCall } from './disk-call.ts';
import { type Reported, reportedIn } from './disk-content.ts';
import { type DiskImage, SimulatedDisk } from './simulated-disk.ts';

export const reportsIn = (calls: readonly DiskCall[]): readonly Reported[] =>
  calls.flatMap((call) => (call.kind === 'report' ? [reportedIn(call.line)] : []));

export interface CrashOptions {
  /** A folder for the files of one image at a time. */
  readonly dir: string;
  /** The images that a crash after the call with this number may leave. */
  readonly imagesOf: (disk: SimulatedDisk, call: number) => readonly DiskImage[];
  /** Whether the failure of a check is an outcome that the image may have. */
  readonly accepts?: (error: unknown) => boolean;
}

export interface Checked {
  readonly images: number;
  /** The outcomes that were accepted. */
  readonly accepted: number;
  /** The first failure. */
  readonly failure: string | undefined;
}

/** Checks the images of a crash after each call, until one fails. Equal images between two reports are checked once. */
export async function checkCrashes(
  calls: readonly DiskCall[],
  { dir, imagesOf, accepts = () => false }: CrashOptions,
): Promise<Checked> {
  const disk = new SimulatedDisk();
  const all = reportsIn(calls);
  const seen = new Set<string>();
  let [images, accepted, reported] = [0, 0, 0];
  for (const [number, call] of calls.entries()) {
    disk.apply(call);
    if (call.kind === 'report') {
      reported++;
      seen.clear();
    }
    for (const image of imagesOf(disk, number)) {
      const digest = digestOf(image);
      if (seen.has(digest)) continue;
      seen.add(digest);
      images++;
      try {
        await checkImage(dir, image, { all, before: all.slice(0, reported) });
      } catch (error) {
        if (!accepts(error)) return { images, accepted, failure: failureOf(error, number, call) };
        accepted++;
      }
    }
  }
  return { images, accepted, failure: undefined };
}

/** The calls that make the files of an image, all of them durable. */
export const callsOf = (image: DiskImage): readonly DiskCall[] =>
  [...image].flatMap(([file, bytes]): readonly DiskCall[] => [
    { kind: 'create', file },
    { kind: 'write', file, at: 0, bytes },
    { kind: 'sync', file, from: Number.POSITIVE_INFINITY },
    { kind: 'sync', file: DIRECTORY, from: Number.POSITIVE_INFINITY },
  ]);

const failureOf = (error: unknown, number: number, call: DiskCall): string =>
  `after call ${number}, ${call.kind} ${call.kind === 'report' ? call.line : call.file}: ${messageOf(error)}`;

function digestOf(image: DiskImage): string {
  const hash = createHash('sha256');
  for (const [name, bytes] of image) hash.update(`${name} ${bytes.length} `).update(bytes);
  return hash.digest('hex');
}

/** The image with one bit of one of its files changed. */
export function withRot(image: DiskImage, random: Random): DiskImage {
  const names = [...image].flatMap(([name, bytes]) => (bytes.length > 0 ? [name] : []));
  const name = names[random.int(Math.max(names.length, 1))];
  if (name === undefined) return image;
  const bytes = Buffer.from(image.get(name) ?? '');
  const at = random.int(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(8));
  return new Map(image).set(name, bytes);
}
