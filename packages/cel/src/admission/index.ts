export { AdmissionEnvironments, type AdmissionVariables } from './admission-environment.ts';
export { compileAny, compileFor } from './compile-for.ts';
export { LazyVariables } from './lazy-variables.ts';
export { applyConfigurationType, jsonPatchType } from './mutation-types.ts';
