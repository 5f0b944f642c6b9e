/** Samples of the same families in other threads of the process, from their texts (version 0.0.4). */
export class PeerSamples {
  readonly #samples = new Map<string, Sample>();
  readonly #families = new Map<string, PeerFamily>();

  constructor(texts: readonly string[], isGreatest: (family: string) => boolean) {
    for (const text of texts) this.#read(text, isGreatest);
  }

  hasFamily(name: string): boolean {
    return this.#families.has(name);
  }

  /** A value together with those of the peers under the same key, which is the text before the value. */
  combined(key: string, value: number): number {
    const sample = this.#samples.get(key);
    if (sample === undefined) return value;
    this.#samples.delete(key);
    return combine(sample, value);
  }

  /** The samples of a family that were not combined: series of the peers alone. */
  rest(name: string): readonly (readonly [key: string, value: number])[] {
    const rest: [string, number][] = [];
    for (const key of this.#families.get(name)?.keys ?? []) {
      const sample = this.#samples.get(key);
      if (sample !== undefined) rest.push([key, sample.value]);
      this.#samples.delete(key);
    }
    return rest;
  }

  #read(text: string, isGreatest: (family: string) => boolean): void {
    let family: PeerFamily | undefined;
    for (const line of text.split('\n')) {
      if (line.startsWith('# TYPE ')) family = this.#family(line.split(' ')[2] ?? '', isGreatest);
      else if (line !== '' && !line.startsWith('#') && family !== undefined) this.#add(line, family);
    }
  }

  #family(name: string, isGreatest: (family: string) => boolean): PeerFamily {
    const found = this.#families.get(name);
    if (found !== undefined) return found;
    const family = { keys: new Set<string>(), isGreatest: isGreatest(name) };
    this.#families.set(name, family);
    return family;
  }

  #add(line: string, { keys, isGreatest }: PeerFamily): void {
    const space = line.lastIndexOf(' ');
    const key = line.slice(0, space);
    const value = numberOf(line.slice(space + 1));
    const sample = this.#samples.get(key);
    keys.add(key);
    if (sample === undefined) this.#samples.set(key, { value, isGreatest });
    else sample.value = combine(sample, value);
  }
}

interface Sample {
  value: number;
  readonly isGreatest: boolean;
}

interface PeerFamily {
  readonly keys: Set<string>;
  readonly isGreatest: boolean;
}

const combine = (sample: Sample, value: number): number =>
  sample.isGreatest ? Math.max(sample.value, value) : sample.value + value;

const numberOf = (text: string): number =>
  text === '+Inf' ? Infinity : text === '-Inf' ? -Infinity : Number(text);
