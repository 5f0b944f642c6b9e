export {
  asNumber,
  asObject,
  asObjects,
  asStringMap,
  asStrings,
  asText,
  type JsonObject,
  specOf,
  statusOf,
} from '@orch/machinery';
