export { allControllers } from './all.ts';
export type { Background, ControllerDescriptor, Work } from './descriptor.ts';
export type {
  AuthorityContent,
  Content,
  ControllerOptions,
  Follower,
  Kept,
  Moment,
  SignerKey,
} from './options.ts';
export { informerHasReached } from './reached.ts';
