import { type Naming, namesFor, namingOf, namings } from '@orch/machinery';
import { asStringMap, asText, isJsonObject, type JsonObject } from '@orch/machinery/json';
import type { FileDocument } from '../files/documents.ts';
import { findVersion } from './find-version.ts';

/** The naming of files without any sign of one: they are older than this project. */
const COMMON: Naming = 'kubernetes';

/**
 * The namings of documents, each by the first that tells: the group of its kind, the other objects of its file, the server, the objects
 * of other files. Files of one naming are never rewritten to the other. Asks for that of the server only if a document needs it.
 */
export async function namingsOf(
  documents: readonly FileDocument[],
  ofServer: () => Promise<Naming | undefined>,
): Promise<ReadonlyMap<FileDocument, Naming>> {
  const ofFiles = new Map<string, Naming>();
  for (const { object, place } of documents) {
    const naming = namingIn(object);
    if (naming !== undefined && !ofFiles.has(place.file)) ofFiles.set(place.file, naming);
  }
  const isOpen = ({ object, place }: FileDocument): boolean =>
    namingIn(object) === undefined && !ofFiles.has(place.file) && dependsOnNaming(object);
  const otherwise = documents.some(isOpen) ? await ofServer() : undefined;
  const [first = COMMON] = ofFiles.values();
  return new Map(
    documents.map((document) => [
      document,
      namingIn(document.object) ?? ofFiles.get(document.place.file) ?? otherwise ?? first,
    ]),
  );
}

/** The naming that an object shows: by its group, or by the domains of its labels and annotations. */
function namingIn(object: JsonObject): Naming | undefined {
  const { metadata } = object;
  const { labels, annotations } = isJsonObject(metadata) ? metadata : {};
  const keys = [labels, annotations].flatMap((map) => Object.keys(asStringMap(map)));
  for (const identifier of [asText(object['apiVersion']), ...keys]) {
    const naming = namingOf(identifier);
    if (naming !== undefined) return naming;
  }
  return undefined;
}

/** Reports whether a version of the kind of an object has another name in each naming. */
function dependsOnNaming(object: JsonObject): boolean {
  const type = findVersion(object, namesFor(COMMON))?.type;
  if (type === undefined) return false;
  return type.versions.some(({ group = type.group }) => {
    const [first, ...others] = namings.map((naming) => namesFor(naming).group(group));
    return others.some((one) => one !== first);
  });
}
