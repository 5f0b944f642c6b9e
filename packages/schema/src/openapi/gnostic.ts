import { ProtobufWriter } from '../protobuf/writer.ts';
import type { OpenApiV2 } from './v2.ts';

/**
 * The Protobuf form of an OpenAPI 2.0 document, which older clients insist on: message `openapi.v2.Document` of the
 * public gnostic definitions. Maps are lists of named entries there, values of any type are YAML text (JSON is YAML),
 * and alternatives are messages with one member set.
 */
type Json = Readonly<Record<string, unknown>>;

/** Writes the value of one JSON member into the message at hand. */
type WriteMember = (out: ProtobufWriter, value: unknown) => void;

/** The members of a message by their JSON names. */
interface Message {
  readonly members: Readonly<Record<string, WriteMember>>;
  /** Field of the members whose names start with `x-`. */
  readonly extensions?: number;
}

const asObject = (value: unknown): Json => value as Json;
const asList = (value: unknown): readonly unknown[] => value as readonly unknown[];

const text =
  (field: number): WriteMember =>
  (out, value) =>
    out.string(field, String(value));

const texts =
  (field: number): WriteMember =>
  (out, value) => {
    for (const item of asList(value)) out.string(field, String(item));
  };

const bool =
  (field: number): WriteMember =>
  (out, value) =>
    out.bool(field, value === true);

/** `Any`: the value as YAML in its second field. */
const any =
  (field: number): WriteMember =>
  (out, value) =>
    out.message(field, () => out.string(2, `${JSON.stringify(value)}\n`));

const anys =
  (field: number): WriteMember =>
  (out, value) => {
    for (const item of asList(value)) any(field)(out, item);
  };

function writeMessage(out: ProtobufWriter, { members, extensions }: Message, value: unknown): void {
  for (const [name, member] of Object.entries(asObject(value))) {
    if (member === undefined) continue;
    if (Object.hasOwn(members, name)) members[name]?.(out, member);
    else if (extensions !== undefined && name.startsWith('x-')) namedAny(extensions, name)(out, member);
    else throw new TypeError(`no place for ${JSON.stringify(name)} in the Protobuf form`);
  }
}

const namedAny =
  (field: number, name: string): WriteMember =>
  (out, value) =>
    out.message(field, () => {
      out.string(1, name);
      any(2)(out, value);
    });

const message =
  (field: number, type: () => Message): WriteMember =>
  (out, value) =>
    out.message(field, () => writeMessage(out, type(), value));

/** A map as entries with the name in field 1 and the value in field 2. */
const entries =
  (entryField: number, write: WriteMember): WriteMember =>
  (out, value) => {
    for (const [name, entry] of Object.entries(asObject(value))) {
      out.message(entryField, () => {
        out.string(1, name);
        write(out, entry);
      });
    }
  };

/** Messages around a value: `wrapped([22, 1], write)` writes a message in field 22 whose field 1 holds the rest. */
const wrapped = (fields: readonly number[], write: WriteMember): WriteMember =>
  fields.reduceRight<WriteMember>(
    (inner, field) => (out, value) => out.message(field, () => inner(out, value)),
    write,
  );

const schema: Message = {
  extensions: 31,
  members: {
    $ref: text(1),
    format: text(2),
    description: text(4),
    default: any(5),
    required: texts(19),
    enum: anys(20),
    additionalProperties: wrapped([21], (out, value) => message(1, () => schema)(out, value)),
    type: wrapped([22], text(1)),
    items: wrapped([23], (out, value) => message(1, () => schema)(out, value)),
    properties: wrapped(
      [25],
      entries(1, (out, value) => message(2, () => schema)(out, value)),
    ),
  },
};

const queryParameter: Message = {
  members: {
    required: bool(1),
    in: text(2),
    description: text(3),
    name: text(4),
    type: text(6),
    uniqueItems: bool(20),
  },
};
const pathParameter: Message = {
  members: {
    required: bool(1),
    in: text(2),
    description: text(3),
    name: text(4),
    type: text(5),
    uniqueItems: bool(19),
  },
};
const bodyParameter: Message = {
  members: {
    description: text(1),
    name: text(2),
    in: text(3),
    required: bool(4),
    schema: message(5, () => schema),
  },
};

/** ParametersItem → Parameter → BodyParameter, or NonBodyParameter and then the message of the place. */
const parameters =
  (field: number): WriteMember =>
  (out, value) => {
    for (const item of asList(value)) {
      const where = asObject(item)['in'];
      if (where === 'body')
        wrapped(
          [field, 1],
          message(1, () => bodyParameter),
        )(out, item);
      else if (where === 'path')
        wrapped(
          [field, 1, 2],
          message(4, () => pathParameter),
        )(out, item);
      else
        wrapped(
          [field, 1, 2],
          message(3, () => queryParameter),
        )(out, item);
    }
  };

const response: Message = {
  members: {
    description: text(1),
    schema: wrapped(
      [2],
      message(1, () => schema),
    ),
  },
};

const operation: Message = {
  extensions: 13,
  members: {
    tags: texts(1),
    description: text(3),
    operationId: text(5),
    produces: texts(6),
    consumes: texts(7),
    parameters: parameters(8),
    responses: wrapped(
      [9],
      entries(
        1,
        wrapped(
          [2],
          message(1, () => response),
        ),
      ),
    ),
    schemes: texts(10),
  },
};

const pathItem: Message = {
  extensions: 10,
  members: {
    get: message(2, () => operation),
    put: message(3, () => operation),
    post: message(4, () => operation),
    delete: message(5, () => operation),
    options: message(6, () => operation),
    head: message(7, () => operation),
    patch: message(8, () => operation),
    parameters: parameters(9),
  },
};

const apiKeySecurity: Message = {
  members: { type: text(1), name: text(2), in: text(3), description: text(4) },
};

const document: Message = {
  members: {
    swagger: text(1),
    info: message(2, () => ({ members: { title: text(1), version: text(2) } })),
    paths: wrapped(
      [8],
      entries(
        2,
        message(2, () => pathItem),
      ),
    ),
    definitions: wrapped(
      [9],
      entries(
        1,
        message(2, () => schema),
      ),
    ),
    security: (out, value) => {
      for (const item of asList(value)) wrapped([12], entries(1, wrapped([2], texts(1))))(out, item);
    },
    securityDefinitions: wrapped(
      [13],
      entries(
        1,
        wrapped(
          [2],
          message(2, () => apiKeySecurity),
        ),
      ),
    ),
  },
};

/** Encodes a document that `buildV2` made. */
export function encodeGnosticV2(value: OpenApiV2): Buffer {
  const out = new ProtobufWriter(1 << 20);
  writeMessage(out, document, value);
  return Buffer.from(out.finish());
}
