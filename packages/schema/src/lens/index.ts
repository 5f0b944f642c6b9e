export {
  type AnnotationCodec,
  annotation,
  hubOnly,
  jsonAnnotation,
  olderOnly,
  setAnnotation,
} from './annotated.ts';
export { chain, type Lens, type LensDirection, type LensScope, mapField, move, within } from './lens.ts';
export { type LosslessOptions, lossless } from './lossless.ts';
