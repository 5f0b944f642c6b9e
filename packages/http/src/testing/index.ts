export { type Adversary, type AdversaryTarget, adversaries } from './adversaries.ts';
export { acceptedDescriptors } from './descriptors.ts';
