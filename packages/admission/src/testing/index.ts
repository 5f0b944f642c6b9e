export { podSecurityViolations } from './pod-security-violations.ts';
