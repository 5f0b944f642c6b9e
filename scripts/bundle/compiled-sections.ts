import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

/**
 * The compiled code of scripts, for the version of the engine that runs this: the identifier of the build, the length of the index,
 * the index by name with offset and length of each, and the code. The engine refuses code of another version of itself. The code of
 * `trained` scripts is given; others are compiled.
 */
export function compiledSections(
  build: string,
  texts: Iterable<readonly [string, string]>,
  trained: ReadonlyMap<string, Uint8Array>,
): Uint8Array {
  const index: Record<string, readonly [number, number]> = {};
  const parts: Uint8Array[] = [];
  let offset = 0;
  for (const [name, text] of texts) {
    const code = trained.get(name) ?? compiled(name, text);
    index[name] = [offset, code.byteLength];
    offset += code.byteLength;
    parts.push(code);
  }
  const indexBytes = Buffer.from(JSON.stringify(index), 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(indexBytes.byteLength);
  return Buffer.concat([Buffer.from(build, 'latin1'), length, indexBytes, ...parts]);
}

function compiled(name: string, text: string): Uint8Array {
  // Inner functions are compiled as well. The code records the flags at the time when it is stored, which are the usual ones again.
  setFlagsFromString('--no-lazy');
  const script = new Script(text, { filename: `orchctl/${name}` });
  setFlagsFromString('--lazy');
  return script.createCachedData();
}
