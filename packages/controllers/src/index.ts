export { allControllers } from './all.ts';
export type { Background, ControllerDescriptor, Work } from './descriptor.ts';
export type { AuthorityContent, Content, ControllerOptions, SignerKey } from './options.ts';
