import type { ObjectSource } from '@orch/auth';
import { type Clock, errors, type Names } from '@orch/machinery';
import type { AdmissionPlugin, RequestedWrite, ResourceTarget, Verdict } from '../types.ts';
import {
  type FoundNamespace,
  isNamespace,
  type NamespaceParts,
  namespaceNotFound,
  writesInNamespaces,
} from './namespace-parts.ts';

export interface NamespaceLifecycleParts extends NamespaceParts {
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Deletions are not refused: they empty a namespace. */
const inNamespaces = writesInNamespaces('CREATE', 'UPDATE');

/**
 * `NamespaceLifecycle`: nothing is written in a namespace that does not exist, nothing is created in one that is being
 * deleted, and the namespaces of the control plane are not deleted (facts: validation, Namespace).
 */
export const namespaceLifecycle = (parts: NamespaceLifecycleParts): AdmissionPlugin =>
  new NamespaceLifecyclePlugin(parts);

class NamespaceLifecyclePlugin implements AdmissionPlugin {
  readonly name = 'NamespaceLifecycle';
  readonly #source: ObjectSource;
  readonly #names: Names;
  readonly #protected: ReadonlySet<string>;
  readonly #deletions: RecentDeletions;

  constructor({ source, names, clock }: NamespaceLifecycleParts) {
    const { default: initial, system, public: open } = names.namespaces;
    this.#source = source;
    this.#names = names;
    this.#protected = new Set([initial, system, open]);
    this.#deletions = new RecentDeletions(clock);
  }

  handles(target: ResourceTarget): boolean {
    return inNamespaces(target) || (target.operation === 'DELETE' && isNamespace(target));
  }

  precheck(write: RequestedWrite): Verdict {
    if (write.operation === 'DELETE') return this.#deletion(write);
    const found = this.#cached(write);
    // A deletion that this replica started may not be in its cache yet.
    const isKnown =
      found !== undefined && (isTerminating(found) || !this.#deletions.includes(write.namespace));
    if (isKnown) return this.#check(write, found);
    return this.#source.fresh(write.signal).then(() => this.#check(write, this.#cached(write)));
  }

  #cached({ namespace }: RequestedWrite): FoundNamespace {
    return this.#source.get('namespaces', '', namespace);
  }

  #deletion({ name, dryRun }: RequestedWrite): Verdict {
    if (this.#protected.has(name)) return 'this namespace may not be deleted';
    if (!dryRun && this.#source.find('namespaces', name) !== undefined) this.#deletions.add(name);
    return undefined;
  }

  #check(write: RequestedWrite, found: FoundNamespace): undefined {
    if (found === undefined) throw namespaceNotFound(write.namespace);
    if (write.operation === 'CREATE' && isTerminating(found)) throw this.#terminating(write);
  }

  /** Clients recognize the refusal by its cause: they evict a pod later, or stop creating objects. */
  #terminating({ group, resource, name, namespace }: RequestedWrite): Error {
    return errors.forbidden(
      { group: this.#names.group(group), kind: resource, name },
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    );
  }
}

const isTerminating = (namespace: NonNullable<FoundNamespace>): boolean =>
  namespace.status?.phase === 'Terminating';

/** Time after a deletion on this replica during which the phase of a namespace is read from the store. */
const MEMORY_MS = 30_000;

/** The namespaces whose deletion was requested from this replica a short time ago. */
export class RecentDeletions {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Times at which names are forgotten, in the order in which they expire. */
  readonly #expiries = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  add(name: string): void {
    this.#forget();
    this.#expiries.delete(name);
    this.#expiries.set(name, this.#clock.monotonic() + MEMORY_MS);
  }

  includes(name: string): boolean {
    if (this.#expiries.size === 0) return false;
    this.#forget();
    return this.#expiries.has(name);
  }

  #forget(): void {
    const now = this.#clock.monotonic();
    for (const [name, expiry] of this.#expiries) {
      if (expiry > now) return;
      this.#expiries.delete(name);
    }
  }
}
