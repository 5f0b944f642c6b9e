export { child, fieldPath, index, key } from './field-path.ts';
export { generatedName } from './generated-name.ts';
export { validateManagedFields } from './managed-fields.ts';
export { validateOwnerReferences } from './owner-references.ts';
export {
  type ObjectMetaRules,
  validateAnnotations,
  validateFinalizer,
  validateLabels,
  validateObjectMeta,
} from './validate.ts';
