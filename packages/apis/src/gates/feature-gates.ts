import type { Names } from '@orch/machinery';
import { atLeast, type Release } from '../lifecycle.ts';
import { effectiveGates, formerNames, gateHistory } from './gate-table.ts';

export type GateStage = 'alpha' | 'beta' | 'ga' | 'deprecated';

/** A gate as one release defines it. */
export interface Gate {
  /** Name in the naming of the server. */
  readonly name: string;
  readonly stage: GateStage;
  readonly openByDefault: boolean;
  /** It cannot be set to another value than its default. */
  readonly locked: boolean;
}

/** The resolved feature gates. Gates are identified by their canonical names, as in declarations. */
export interface FeatureGates {
  /** Gates that are enabled, and those that were removed because their feature is generally available. */
  readonly open: ReadonlySet<string>;
  /** Gates enabled by default in the release that are disabled. */
  readonly closed: ReadonlySet<string>;
  /** Gates of this release, enabled or not. */
  readonly known: ReadonlySet<string>;
  /** Sentences for the log: gates that were set although they will be removed, or have no effect here. */
  readonly warnings: readonly string[];
}

/** An invalid value of `--feature-gates`; the message is for the user. */
export class FeatureGateError extends Error {
  override readonly name = 'FeatureGateError';
}

const stages: Readonly<Record<string, GateStage>> = { A: 'alpha', B: 'beta', G: 'ga', D: 'deprecated' };
const opensByDefault: Readonly<Record<GateStage, boolean>> = {
  alpha: false,
  beta: true,
  ga: true,
  deprecated: false,
};

/** One of the steps in `gateHistory`. */
interface Step {
  readonly letter: string;
  readonly sign: string;
  readonly lock: string;
}

/** The stage of a gate in a release (spec 3.3); undefined before it was introduced and after it was removed. */
export const gateAt = (canonical: string, release: Release): Omit<Gate, 'name'> | undefined =>
  definedBy(lastSteps(canonical, release)[0]);

function definedBy(text: string | undefined): Omit<Gate, 'name'> | undefined {
  if (text === undefined) return undefined;
  const { letter, sign, lock } = stepOf(text);
  const stage = stages[letter];
  if (stage === undefined) return undefined;
  return {
    stage,
    openByDefault: sign === '' ? opensByDefault[stage] : sign === '+',
    locked: lock === '' ? stage === 'ga' : lock === '=',
  };
}

const stepOf = (text: string): Step => ({
  letter: text.slice(0, 1),
  sign: text.slice(1, signEnd(text)),
  lock: text.slice(signEnd(text), lockEnd(text)),
});

const signEnd = (text: string): number => (text[1] === '+' || text[1] === '-' ? 2 : 1);

function lockEnd(text: string): number {
  const signed = signEnd(text);
  return text[signed] === '=' || text[signed] === '~' ? signed + 1 : signed;
}

/** Reports whether a release no longer has a gate because its feature is generally available. */
export function isGraduated(canonical: string, release: Release): boolean {
  const [last, before] = lastSteps(canonical, release);
  return last?.startsWith('X') === true && before?.startsWith('G') === true;
}

/**
 * The last two steps of a gate up to a release, the last one first. They are sought from the end, where those of the usual releases
 * are: each start of a server asks for all gates several times.
 */
function lastSteps(canonical: string, release: Release): readonly string[] {
  const history = gateHistory[canonical] ?? '';
  const found: string[] = [];
  for (let end = history.length; end > 0 && found.length < 2; ) {
    const start = history.lastIndexOf(' ', end - 1) + 1;
    const text = history.slice(start, end);
    if (found.length > 0 || atLeast(release, text.slice(lockEnd(text)))) found.push(text);
    end = start - 1;
  }
  return found;
}

/** The name of a gate in a release, canonical. */
function nameAt(canonical: string, release: Release): string {
  const former = formerNames[canonical];
  return former === undefined || atLeast(release, former.before) ? canonical : former.name;
}

/** All gates of a release, by canonical name. */
export function gatesOf(release: Release, names: Names): ReadonlyMap<string, Gate> {
  const gates = new Map<string, Gate>();
  for (const canonical of Object.keys(gateHistory)) {
    const gate = gateAt(canonical, release);
    if (gate !== undefined)
      gates.set(canonical, { name: names.featureGate(nameAt(canonical, release)), ...gate });
  }
  return gates;
}

/** Gates whose setting applies to all gates of one stage that are not set individually. */
const collective = new Map<string, GateStage>([
  ['AllAlpha', 'alpha'],
  ['AllBeta', 'beta'],
]);

/**
 * Resolves the gates of a release from `Name=true|false` settings (spec 3.3, rules 8 and 9). An unknown or removed
 * gate, an invalid value, and disabling a locked gate are errors.
 */
export function resolveFeatureGates(
  settings: readonly string[],
  release: Release,
  names: Names,
): FeatureGates {
  const gates = gatesOf(release, names);
  const canonicalOf = new Map([...gates].map(([canonical, { name }]) => [name, canonical]));
  const set = new Map<string, boolean>();
  const warnings: string[] = [];
  for (const setting of settings) {
    const [name, value] = readSetting(setting);
    const canonical = canonicalOf.get(name);
    const gate = canonical === undefined ? undefined : gates.get(canonical);
    if (canonical === undefined || gate === undefined)
      throw new FeatureGateError(`unknown feature gate ${JSON.stringify(name)} in release ${release}`);
    set.set(canonical, checked(gate, value));
    const warning = warningOf(gate, value);
    if (warning !== undefined) warnings.push(warning);
  }
  const open = new Set(
    Object.keys(gateHistory).filter((canonical) => {
      const gate = gates.get(canonical);
      return gate === undefined ? isGraduated(canonical, release) : isOpen(canonical, gate, set);
    }),
  );
  const closed = [...gates].flatMap(([canonical, gate]) =>
    gate.openByDefault && !open.has(canonical) ? canonical : [],
  );
  const idle = idleWarning(
    [...set.keys()]
      .filter((canonical) => !effectiveGates.has(canonical))
      .map((canonical) => gates.get(canonical)?.name ?? canonical),
  );
  return {
    open,
    closed: new Set(closed),
    known: new Set(gates.keys()),
    warnings: idle === undefined ? warnings : [...warnings, idle],
  };
}

/** One sentence about all gates that were set and have no effect here. */
const idleWarning = (gates: readonly string[]): string | undefined =>
  gates.length === 0 ? undefined : `feature gates without effect here: ${gates.join(', ')}`;

/** `Name=true|false (STAGE - default=…)` of every gate that can be set, sorted by name. */
export const gateOptions = (release: Release, names: Names): readonly string[] =>
  [...gatesOf(release, names).values()]
    .filter(({ stage }) => stage === 'alpha' || stage === 'beta')
    .map(
      ({ name, stage, openByDefault }) =>
        `${name}=true|false (${stage.toUpperCase()} - default=${openByDefault})`,
    )
    .sort();

function readSetting(setting: string): readonly [name: string, value: boolean] {
  const at = setting.indexOf('=');
  const name = at < 0 ? setting : setting.slice(0, at).trim();
  const value =
    at < 0
      ? undefined
      : setting
          .slice(at + 1)
          .trim()
          .toLowerCase();
  if (at < 0)
    throw new FeatureGateError(`missing value for feature gate ${JSON.stringify(name)}: say =true or =false`);
  if (value === 'true' || value === '1' || value === 't') return [name, true];
  if (value === 'false' || value === '0' || value === 'f') return [name, false];
  throw new FeatureGateError(
    `invalid value ${JSON.stringify(value)} of feature gate ${name}: must be true or false`,
  );
}

function checked({ name, stage, openByDefault, locked }: Gate, value: boolean): boolean {
  if (!locked || value === openByDefault) return value;
  const reason = stage === 'ga' ? 'its feature is generally available' : `it is ${stage}`;
  const change = value ? 'enabled' : 'disabled';
  throw new FeatureGateError(
    `feature gate ${name} cannot be ${change}: ${reason} and the gate is non-operational`,
  );
}

function warningOf({ name, stage, locked }: Gate, value: boolean): string | undefined {
  if (stage === 'ga' && !locked)
    return `feature gate ${name}=${value} is deprecated: its feature is generally available, and the gate will be removed`;
  if (stage === 'ga')
    return `feature gate ${name}=${value} is deprecated and non-operational: its feature is generally available, and the gate will be removed`;
  if (stage === 'deprecated')
    return `feature gate ${name}=${value} is deprecated, still operational, and will be removed with its feature`;
  return undefined;
}

function isOpen(canonical: string, gate: Gate, set: ReadonlyMap<string, boolean>): boolean {
  const own = set.get(canonical);
  if (own !== undefined) return own;
  for (const [name, stage] of collective) {
    const value = set.get(name);
    if (stage === gate.stage && value !== undefined && !collective.has(canonical)) return value;
  }
  return gate.openByDefault;
}
