export { arbitraryInput } from './arbitrary.ts';
export { formatSamples } from './format-samples.ts';
export { fullValue } from './full-value.ts';
export { wholeBody } from './parsed-documents.ts';
export { RandomStructural } from './random-structural.ts';
export { type RepeatingField, repeatingFields } from './repeating-fields.ts';
export { SlowStructural } from './slow-structural.ts';
export { testKind } from './test-kind.ts';
