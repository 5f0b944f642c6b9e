import type { ApiObject } from '@orch/machinery';
import { useState } from 'preact/hooks';
import type { Kinds } from '../api/discovery.ts';
import type { ObjectPlace } from '../api/objects.ts';
import type { PageSession } from '../api/session.ts';
import { readMetadata } from '../object/read-metadata.ts';
import { type GraphNode, type OwnerGraph, outlineOf, ownerGraph } from '../object/relations.ts';
import { addressOf, startView } from '../view/view.ts';
import { kindWord } from './kind-list.tsx';
import { Failure } from './notice.tsx';
import type { PartOpening } from './part-opening.ts';
import { useAnswer } from './use-answer.ts';

export interface ObjectGraphProps {
  readonly session: PageSession;
  readonly kinds: Kinds;
  readonly place: ObjectPlace;
  readonly object: ApiObject;
  readonly part: PartOpening;
}

/** Owners and dependents of an object as a graph, read when the user asks for them. */
export function ObjectGraph(props: ObjectGraphProps) {
  const { isOpen, set } = props.part;
  const [reading, setReading] = useState(0);
  return (
    <section aria-labelledby="graph-title">
      <h2 id="graph-title">Owners and dependents</h2>
      <button type="button" onClick={() => (isOpen ? setReading(reading + 1) : set(true))}>
        {isOpen ? 'Read again' : 'Show the graph'}
      </button>
      {isOpen ? <Graph {...props} reading={reading} /> : null}
    </section>
  );
}

function Graph({ session, kinds, place, object, reading }: ObjectGraphProps & { readonly reading: number }) {
  const { connection, names } = session;
  const { uid = '', namespace = '' } = object.metadata;
  const answer = useAnswer(`${uid} ${reading}`, async (signal) => {
    const isRelated = () => true;
    const search = { connection, names, kinds, signal };
    const { found, unknown } = await readMetadata(namespace, isRelated, search);
    return { graph: ownerGraph(outlineOf(place.resource, object), found), unknown };
  });
  if (answer.kind === 'waiting') return <p role="status">The metadata of all kinds are read.</p>;
  if (answer.kind === 'failed') return <Failure problem={answer.problem} />;
  const { graph, unknown } = answer.value;
  return (
    <div class="relations">
      <Drawing graph={graph} />
      {graph.isCut ? <p>There are more objects than the graph shows.</p> : null}
      {unknown.size === 0 ? null : (
        <p class="quiet">{`Not known for: ${[...unknown.keys()].sort().join(', ')}.`}</p>
      )}
    </div>
  );
}

/** Sizes in pixels. */
const box = { width: 220, height: 44, gapX: 56, gapY: 12 };

function Drawing({ graph: { nodes, edges } }: { readonly graph: OwnerGraph }) {
  const first = Math.min(...nodes.map(({ depth }) => depth));
  const at = ({ depth, place }: GraphNode) => ({
    x: (depth - first) * (box.width + box.gapX),
    y: place * (box.height + box.gapY),
  });
  const width = Math.max(...nodes.map((node) => at(node).x)) + box.width;
  const height = Math.max(...nodes.map((node) => at(node).y)) + box.height;
  const byUid = new Map(nodes.map((node) => [node.uid, node]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it.
    <section class="graph" aria-label="Graph of owners and dependents" tabIndex={0}>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: its parts have texts, and the section has a name. */}
      <svg width={width + 4} height={height + 4} viewBox={`-2 -2 ${width + 4} ${height + 4}`}>
        {edges.map(([owner, dependent]) => {
          const [from, to] = [byUid.get(owner), byUid.get(dependent)];
          return from === undefined || to === undefined ? null : (
            <path key={`${owner} ${dependent}`} d={curve(at(from), at(to))} />
          );
        })}
        {nodes.map((node) => (
          <Box key={node.uid} {...{ node }} {...at(node)} />
        ))}
      </svg>
    </section>
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The line from the right side of an owner to the left side of a dependent. */
function curve(from: Point, to: Point): string {
  const [x1, y1] = [from.x + box.width, from.y + box.height / 2];
  const y2 = to.y + box.height / 2;
  const middle = (x1 + to.x) / 2;
  return `M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${to.x} ${y2}`;
}

/** Characters that fit into a box. */
const MAX_CHARS = 28;

function Box({ node, x, y }: Point & { readonly node: GraphNode }) {
  const { kind, name, outline, depth } = node;
  const shown = name.length > MAX_CHARS ? `${name.slice(0, MAX_CHARS - 1)}…` : name;
  const content = (
    <>
      <title>{`${kind} ${name}${outline === undefined ? ': not found here' : ''}`}</title>
      <rect {...{ x, y }} width={box.width} height={box.height} rx={4} />
      <text x={x + 8} y={y + 17} class="kind">
        {kind}
      </text>
      <text x={x + 8} y={y + 35}>
        {shown}
      </text>
    </>
  );
  if (outline === undefined) return <g class="absent">{content}</g>;
  const object = { namespace: outline.metadata.namespace ?? '', name };
  const address = addressOf({ ...startView, kind: kindWord(outline.resource), object });
  return (
    <a href={address} class={depth === 0 ? 'middle' : ''}>
      {content}
    </a>
  );
}
