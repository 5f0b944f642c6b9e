export { PolicyTypeChecks, type PolicyTypeChecksOptions } from './policy-type-checks.ts';
