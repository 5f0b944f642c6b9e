import type { Work } from '@orch/machinery/concurrency';
import type { JsonObject } from '@orch/machinery/json';
import type { StructuralSchema } from '../structural-schema.ts';
import type { DecodeContext } from '../walk/decode-context.ts';
import type { Read } from '../walk/reader.ts';
import { ReadPass } from './read-pass.ts';
import { keepingItsOwn, ReadPlan } from './read-plan.ts';
import { readingObject } from './reading-in-pieces.ts';

/** Reads the fields of an object that follow a structural schema. */
export interface FieldsReader {
  read(fields: JsonObject, context: DecodeContext): JsonObject;
  /** Like `read`, of an object with many parts, in pieces. */
  inPieces(fields: JsonObject, context: DecodeContext): Work<JsonObject>;
}

/** Compiles the reading of objects by a structural schema. `readMetadata` reads the metadata of embedded objects. */
export function structuralReader(schema: () => StructuralSchema, readMetadata: Read): FieldsReader {
  let root: ReadPlan | undefined;
  return {
    read(fields, context) {
      root ??= new ReadPlan(schema());
      return new ReadPass(readMetadata, context).object(fields, root, root.keepsUndescribed);
    },
    inPieces(fields, context) {
      root ??= new ReadPlan(schema());
      return readingObject(new ReadPass(readMetadata, context), fields, keepingItsOwn(root));
    },
  };
}
