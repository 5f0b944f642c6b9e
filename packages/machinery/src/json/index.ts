export { CompactJson } from './compact-json.ts';
export { cloneJsonInPieces, copyFieldsInPieces } from './copy-in-pieces.ts';
export { findDuplicateKeys, findDuplicateKeysInPieces } from './duplicates.ts';
export { encodeJson, jsonText } from './encode.ts';
export { encodeJsonInPieces } from './encode-in-pieces.ts';
export { jsonEqualsInPieces } from './equals-in-pieces.ts';
export {
  approximateNumber,
  declaredInteger,
  type ExactNumber,
  exactInteger,
  exactNumberText,
  isExactNumber,
  isInt64,
  jsonInteger,
  numberFromText,
  spelledNumber,
} from './exact-number.ts';
export { hasManyParts } from './extent.ts';
export {
  asList,
  asNumber,
  asObject,
  asObjects,
  asStringMap,
  asStrings,
  asText,
  type JsonObject,
  type MutableJsonObject,
  objectAt,
  specOf,
  statusOf,
} from './fields.ts';
export { asBuffer, parseJson, utf8Text } from './parse.ts';
export { parseJsonInPieces } from './parse-in-pieces.ts';
export { MAX_JSON_DEPTH, type ParseJsonOptions, parseJsonPart } from './parse-text.ts';
export { rawJson } from './raw-json.ts';
export { JsonSlice } from './slice.ts';
export { JsonSyntaxError } from './syntax-error.ts';
export { cloneJson, deepFreeze, isJsonObject, jsonEquals, setField } from './values.ts';
export { isLarge, noteWidth, widthOf } from './width.ts';
