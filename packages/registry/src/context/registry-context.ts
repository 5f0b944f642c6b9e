import type { IncludesPart, ServedType } from '@orch/apis';
import type { TokenIssuer } from '@orch/auth';
import type { RecentWrites } from '../resource/cached-resource.ts';
import type { ServedResource } from '../resource/served-resource.ts';
import type { Connector } from './connector.ts';
import type { ReadPath } from './paths.ts';
import type { Threads } from './threads.ts';
import type { VirtualPath, VirtualResource } from './virtual-resource.ts';

/** All parts of a registry. Only the dispatcher holds it; verbs and helpers take only the part that they use. */
export interface RegistryContext extends ReadPath, VirtualPath {
  /** Reports whether the release serves a field. */
  readonly includes: IncludesPart;
  /** The served versions of a resource, with codecs and encodings. */
  resourcesOf(type: ServedType): readonly ServedResource[];
  /** Group versions (`group/version`, the group by its key) that the previous release served. */
  readonly servedBefore: ReadonlySet<string>;
  readonly storePrefix: string;
  /** Receives written objects, for the cache that shares them. */
  readonly recentWrites: RecentWrites | undefined;
  /** The threads of the process; undefined when it has one. */
  readonly threads: Threads | undefined;
  /** Serves the subresources that connect to nodes, pods and services. */
  readonly connector: Connector;
  /** Issues tokens of service accounts; absent without a signing key. */
  readonly tokenIssuer: TokenIssuer | undefined;
  /** The handler of a resource that is not stored. */
  virtual(resource: ServedResource): VirtualResource;
}
