export { child, fieldPath, index, key, problemsOf } from './field-path.ts';
export { generatedName } from './generated-name.ts';
export {
  type ObjectMetaRules,
  validateAnnotations,
  validateFinalizer,
  validateLabels,
  validateManagedFields,
  validateObjectMeta,
  validateOwnerReferences,
  validatingObjectMeta,
} from './validate.ts';
