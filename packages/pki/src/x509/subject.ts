import { DerError, type DerReader, type DerValue, tags } from './der-reader.ts';
import { oid, sequence, set, utf8 } from './der-writer.ts';
import { oids } from './oids.ts';

/** One attribute of a distinguished name. */
export interface NameAttribute {
  /** Object identifier, encoded. */
  readonly type: Buffer;
  readonly text: string;
  /** Whether the value is a string type. */
  readonly isText: boolean;
  /** The attribute as it was encoded. */
  readonly raw: Buffer;
}

/** A distinguished name: sets of attributes, nearly always of one each. */
export type DistinguishedName = readonly (readonly NameAttribute[])[];

const commonName = oid(oids.commonName);
const organization = oid(oids.organization);

const texts: ReadonlySet<number> = new Set([
  tags.utf8String,
  tags.numericString,
  tags.printableString,
  tags.teletexString,
  tags.ia5String,
  tags.bmpString,
]);

const utf8Text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf({ tag, content }: DerValue): string {
  switch (tag) {
    case tags.utf8String:
      try {
        return utf8Text.decode(content);
      } catch (cause) {
        throw new DerError('text that is not valid UTF-8', { cause });
      }
    case tags.bmpString:
      if (content.length % 2 !== 0) throw new DerError('text of half a character');
      return Buffer.from(content).swap16().toString('utf16le');
    default:
      return content.toString('latin1');
  }
}

function readAttribute({ raw }: DerValue, reader: DerReader): NameAttribute {
  const type = reader.expect(tags.objectIdentifier, 'type of an attribute').raw;
  const value = reader.next();
  reader.end('an attribute of the subject');
  return { type, text: textOf(value), isText: texts.has(value.tag), raw };
}

/** Parses the content of a distinguished name. */
export function readName(name: DerReader): DistinguishedName {
  const sets: NameAttribute[][] = [];
  while (name.more()) {
    const reader = name.enter(tags.set, 'a relative distinguished name');
    const attributes: NameAttribute[] = [];
    while (reader.more()) {
      const value = reader.expect(tags.sequence, 'an attribute of the subject');
      attributes.push(readAttribute(value, reader.inside(value)));
    }
    sets.push(attributes);
  }
  return sets;
}

const valuesOf = (name: DistinguishedName, type: Buffer): readonly string[] =>
  name
    .flat()
    .filter((attribute) => attribute.type.equals(type))
    .map(({ text }) => text);

export const commonNamesOf = (name: DistinguishedName): readonly string[] => valuesOf(name, commonName);

export const organizationsOf = (name: DistinguishedName): readonly string[] => valuesOf(name, organization);

const attribute = (type: Buffer, text: string): Buffer => sequence(type, utf8(text));

/** Attributes that identify a user are encoded in one form, so that all readers get the same text. */
const rewritten = ({ type, text, raw }: NameAttribute): Buffer =>
  type.equals(commonName) || type.equals(organization) ? attribute(type, text) : raw;

/** A parsed name; common names and organizations in UTF-8, regardless of their original encoding. */
export const encodeName = (name: DistinguishedName): Buffer =>
  sequence(...name.map((attributes) => set(...attributes.map(rewritten))));

/** A name of organizations and a common name. */
export const simpleName = (name: string, organizations: readonly string[] = []): Buffer =>
  sequence(
    ...organizations.map((one) => set(attribute(organization, one))),
    set(attribute(commonName, name)),
  );
