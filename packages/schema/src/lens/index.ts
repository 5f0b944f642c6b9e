export {
  type Annotated,
  type AnnotationForm,
  annotation,
  hubOnly,
  jsonForm,
  olderOnly,
  setAnnotation,
} from './annotated.ts';
export {
  chain,
  type Lens,
  type LensScope,
  mapMember,
  move,
  put,
  reversed,
  take,
  within,
} from './lens.ts';
export { type LosslessOptions, lossless } from './lossless.ts';
