import type { Client, ConnectionSettings } from '@orch/client';
import type { Names } from '@orch/machinery';
import type { ResourceMapper } from './resource-mapper.ts';

/** The connection of a command to the server of its context. */
export interface Session {
  readonly client: Client;
  /** The naming of the server. */
  readonly names: Names;
  readonly settings: ConnectionSettings;
  /** The namespace of requests: that of the flag, of the context, or `default`. */
  readonly namespace: string;
  /** Whether the namespace was given by a flag. Objects of files in other namespaces are then refused. */
  readonly isNamespaceGiven: boolean;
  /** Resources by the names that users type. */
  readonly resources: ResourceMapper;
  /** The number of different warnings of the server so far. */
  warningCount(): number;
  close(): Promise<void>;
}
