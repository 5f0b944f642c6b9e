import type { Work } from '@orch/machinery/concurrency';
import { hasManyParts, type JsonObject, noteWidth, setField } from '@orch/machinery/json';
import { MAX_DEPTH } from '../walk/decode-context.ts';
import { readingFreeForm } from '../walk/free-form.ts';
import { sortingBytewise } from '../walk/sort-bytewise.ts';
import type { ReadPass } from './read-pass.ts';
import type { PartPlan } from './read-plan.ts';

/** Reads an object as `ReadPass.object` does, in pieces. Parts with few parts are read at once. */
export function* readingObject(
  pass: ReadPass,
  object: JsonObject,
  { plan, keeps }: PartPlan,
): Work<JsonObject> {
  const { context } = pass;
  const read: Record<string, unknown> = {};
  const names = yield* sortingBytewise(pass.namesOf(object, plan), context.pace);
  noteWidth(read, names.length);
  for (const name of names) {
    if (context.pace.isDue()) yield;
    const raw = Object.hasOwn(object, name) ? object[name] : undefined;
    const isTypeMeta = plan.isEmbedded && (name === 'metadata' || name === 'apiVersion' || name === 'kind');
    const isDivided = !isTypeMeta && hasManyParts(raw);
    const seen = context.count;
    const value = isDivided
      ? yield* readingField(pass, raw, { part: plan.part(name), keeps })
      : pass.field(name, raw, plan, keeps);
    if (context.count !== seen) context.within(seen, `.${name}`);
    if (value !== undefined) setField(read, name, value);
  }
  return read;
}

/** A field of an object. */
interface FieldPlan {
  /** Undefined where the schema does not describe the field. */
  readonly part: PartPlan | undefined;
  /** Whether fields that the schema does not describe are kept. */
  readonly keeps: boolean;
}

function* readingField(pass: ReadPass, raw: unknown, { part, keeps }: FieldPlan): Work<unknown> {
  const { context } = pass;
  if (part !== undefined) return yield* readingValue(pass, raw, part);
  if (keeps) return yield* readingFreeForm(raw, context);
  if (context.reportUnknown) context.unknown('');
  return undefined;
}

/** Reads an object or a list with many parts. */
function* readingValue(pass: ReadPass, raw: unknown, { plan, keeps }: PartPlan): Work<unknown> {
  const { context } = pass;
  if (context.depth >= MAX_DEPTH) {
    context.tooDeep();
    return undefined;
  }
  context.depth++;
  const { items } = plan;
  const read = Array.isArray(raw)
    ? yield* readingItems(pass, raw, { plan: items, keeps: keeps || items.keepsUndescribed })
    : yield* readingObject(pass, raw as JsonObject, { plan, keeps });
  context.depth--;
  return read;
}

function* readingItems(pass: ReadPass, list: readonly unknown[], part: PartPlan): Work<readonly unknown[]> {
  const { context } = pass;
  const read: unknown[] = [];
  for (const [i, raw] of list.entries()) {
    if (context.pace.isDue()) yield;
    const isDivided = hasManyParts(raw);
    const seen = context.count;
    const item = isDivided ? yield* readingValue(pass, raw, part) : pass.item(raw, part.plan, part.keeps);
    read.push(item ?? null);
    if (context.count !== seen) context.within(seen, `[${i}]`);
  }
  return read;
}
