import type { Draft } from '@orch/kinds/draft';
import type { FlowSchemaV1beta3 as FlowSchema, FlowSchemaConditionV1beta3 } from '@orch/kinds/flowcontrol';
import { ApiError } from '@orch/machinery';
import { formatTime } from '@orch/machinery/time';
import { type InternalResource, ObjectLoop, type ServerContext } from '@orch/registry';
import { danglingCondition } from './dangling-condition.ts';

/** Schemas that are written at a time. */
const WORKERS = 4;

const levelOf = ({ spec }: FlowSchema): string => spec?.priorityLevelConfiguration?.name ?? '';

/**
 * Keeps the condition `Dangling` of flow schemas up to date, on every replica: True when the priority level does not
 * exist. A correct condition is not written, and the level is read from the store before one is: replicas whose caches
 * differ do not overwrite each other.
 */
export class DanglingSchemas {
  readonly #context: ServerContext;
  /** Undefined where flow control is not served. */
  readonly #schemas: InternalResource<FlowSchema> | undefined;
  readonly #priorityLevels: InternalResource | undefined;
  readonly #loop: ObjectLoop;
  /** The level of each schema that was checked. */
  readonly #levels = new Map<string, string>();

  constructor(context: ServerContext) {
    this.#context = context;
    this.#schemas = context.objects.resource('flowcontrol', 'flowschemas');
    this.#priorityLevels = context.objects.resource('flowcontrol', 'prioritylevelconfigurations');
    this.#loop = new ObjectLoop({
      env: context.env,
      name: 'flow_schema_conditions',
      resource: this.#schemas,
      related: [{ resource: this.#priorityLevels, keysOf: (level) => this.#schemasOf(level) }],
      workers: WORKERS,
      failed: 'the condition of a flow schema could not be written',
      reconcile: (name, signal) => this.#reconcile(name, signal),
    });
  }

  /** Works until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#loop.run(signal);
  }

  *#schemasOf(level: string): Generator<string> {
    for (const [name, of] of this.#levels) if (of === level) yield name;
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<undefined> {
    const schemas = this.#schemas;
    const levels = this.#priorityLevels;
    const schema = schemas?.cached({ namespace: '', name });
    if (schemas === undefined || levels === undefined || schema === undefined) {
      this.#levels.delete(name);
      return;
    }
    const level = levelOf(schema);
    // Recorded before the level is read, so that a change in the meantime causes another check.
    this.#levels.set(name, level);
    // The levels are not loaded yet; all schemas are checked once they are.
    if (levels.cachedKeys() === undefined) return;
    if (isShown(schema, level, levels.isCached({ namespace: '', name: level }))) return;
    const exists = await mayExist(levels, level, signal);
    const now = formatTime(this.#context.env.clock.now());
    const change = (current: Draft<FlowSchema>): void => {
      // If the schema names another level now, that change causes another check.
      if (levelOf(current) === level && !isShown(current, level, exists))
        show(current, level, { exists, now });
    };
    await schemas.change({ namespace: '', name }, change, signal, {
      manager: this.#context.names.fieldManagers.flowControlStatus,
      subresource: 'status',
    });
  }
}

/** Reports whether the store has a level; one that cannot be read may exist. */
async function mayExist(levels: InternalResource, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await levels.read({ namespace: '', name }, signal)) !== undefined;
  } catch (error) {
    if (error instanceof ApiError) return true;
    throw error;
  }
}

const conditionsOf = ({ status }: FlowSchema): readonly FlowSchemaConditionV1beta3[] =>
  status?.conditions ?? [];

function isShown(schema: FlowSchema, level: string, exists: boolean): boolean {
  const { status, reason, message } = danglingCondition(level, exists, '');
  const shown = conditionsOf(schema).find(({ type }) => type === 'Dangling');
  return shown?.status === status && shown.reason === reason && shown.message === message;
}

function show(
  schema: Draft<FlowSchema>,
  level: string,
  { exists, now }: { readonly exists: boolean; readonly now: string },
): void {
  const before = conditionsOf(schema);
  const next = danglingCondition(level, exists, now);
  const last = before.find(({ type }) => type === 'Dangling');
  const since =
    (last?.status === next.status ? last.lastTransitionTime : undefined) ?? next.lastTransitionTime;
  const condition = { ...next, lastTransitionTime: since };
  const others = before.filter(({ type }) => type !== 'Dangling');
  schema.status = { ...schema.status, conditions: [...others, condition] };
}
