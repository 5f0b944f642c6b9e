/** The format of a reply. Instances are interned: equal representations are the same object. */
export interface Representation {
  readonly encoding: 'json' | 'yaml' | 'protobuf' | 'cbor';
  readonly as: 'plain' | 'table' | 'partial';
  /** Version of the meta group for tables and partial objects. */
  readonly metaVersion: 'v1' | 'v1beta1';
  /** Shared headers of all replies in this format: the Content-Type. */
  readonly headers: Readonly<Record<'Content-Type', string>>;
}

type Versions = Readonly<Record<Representation['metaVersion'], Representation>>;

/** One encoding of objects, with its transformations. */
interface Encoding {
  readonly plain: Representation;
  readonly table: Versions;
  readonly partial: Versions;
}

/** All representations. */
export interface Representations {
  readonly json: Encoding;
  readonly yaml: Representation;
  readonly protobuf: Encoding;
  /** The representations of watches, which have a separate media type. */
  readonly protobufStream: Encoding;
  readonly cbor: Encoding;
  readonly cborStream: Encoding;
}

/** The media types of one data item, and of several, one after the other (RFC 8949, RFC 8742). */
export const CBOR = 'application/cbor';
export const CBOR_SEQUENCE = 'application/cbor-seq';

function encodingOf(encoding: Representation['encoding'], contentType: string): Encoding {
  const headers = Object.freeze({ 'Content-Type': contentType });
  const make = (as: Representation['as'], metaVersion: Representation['metaVersion']): Representation =>
    Object.freeze({ encoding, as, metaVersion, headers });
  const versions = (as: Representation['as']): Versions => ({
    v1: make(as, 'v1'),
    v1beta1: make(as, 'v1beta1'),
  });
  return { plain: make('plain', 'v1'), table: versions('table'), partial: versions('partial') };
}

/** Creates the representations of one naming (facts: mediaTypes, watchStream). */
export const representations = (protobufMediaType: string): Representations => ({
  json: encodingOf('json', 'application/json'),
  yaml: encodingOf('yaml', 'application/yaml').plain,
  protobuf: encodingOf('protobuf', protobufMediaType),
  protobufStream: encodingOf('protobuf', `${protobufMediaType};stream=watch`),
  cbor: encodingOf('cbor', CBOR),
  cborStream: encodingOf('cbor', CBOR_SEQUENCE),
});
