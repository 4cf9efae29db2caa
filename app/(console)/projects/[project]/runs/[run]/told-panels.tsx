import { Panel } from '@/app/_ui/panel';
import { formatCount } from '@/lib/core/format';
import { eventText } from '@/lib/services/training/report/curves-of';
import type { StoredEvent } from '@/lib/services/training/runs/keep-events';

const LINES = 60;

export function WarningPanel({ events }: { events: StoredEvent[] }) {
  const messages = [
    ...new Set(
      events.filter(({ kind }) => kind === 'warning').map(({ document }) => String(document.message)),
    ),
  ];
  if (messages.length === 0) return null;
  return (
    <Panel title={formatCount(messages.length, 'warning')}>
      <ul className="flex list-disc flex-col gap-1 pl-4">
        {messages.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Panel>
  );
}

const clock = (at: Date): string => at.toISOString().slice(11, 19);

/** What the trainer told, newest first: the live log. */
export function ToldPanel({ events }: { events: StoredEvent[] }) {
  const lines = events
    .flatMap((event) => {
      const text = eventText(event);
      return text ? [{ seq: event.seq, at: event.at, text }] : [];
    })
    .toReversed()
    .slice(0, LINES);
  if (lines.length === 0) return null;
  return (
    <Panel title="Log" description="What the trainer told, newest first; times in UTC." flush>
      <ol
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        className="flex max-h-80 flex-col gap-0.5 overflow-y-auto p-4 text-xs"
      >
        {lines.map(({ seq, at, text }) => (
          <li key={seq} className="flex gap-3">
            <span className="shrink-0 text-ink-3 tabular-nums">{clock(at)}</span>
            <span className="min-w-0 wrap-anywhere">{text}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** The end of what it printed, where it printed anything: errors of Python are here. */
export const OutputPanel = ({ tail }: { tail: string | null }) =>
  tail?.trim() ? (
    <Panel title="Output" description="The end of what the trainer printed." flush>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        className="max-h-80 overflow-auto p-4 font-mono text-xs leading-5"
      >
        {tail}
      </pre>
    </Panel>
  ) : null;
