import { Button } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { Progress } from '@/app/_ui/progress';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table';
import { formatBytes } from '@/lib/core/format';
import type { Found, Going } from './use-add-model';

interface Props {
  going: Going | undefined;
  found: Found | undefined;
  onCancel: () => void;
  onEnter: () => void;
}

const tones = { good: 'good', note: 'warn', refused: 'bad' } as const;

/** Line by line what was looked at, and the way on. */
export function FoundPanel({ going, found, onCancel, onEnter }: Props) {
  if (going)
    return (
      <Panel title="What was found">
        <Progress
          title={going.what === 'sending' ? going.text : 'Looking at it'}
          label={going.text}
          state="running"
          done={going.done}
          total={going.total}
          text={
            going.total === null ? going.text : `${formatBytes(going.done)} of ${formatBytes(going.total)}`
          }
          cancel={
            <Button size="small" onClick={onCancel}>
              Cancel
            </Button>
          }
        />
      </Panel>
    );
  if (!found)
    return (
      <Panel title="What was found" flush>
        <EmptyState title="Nothing was looked at yet">
          Choose the file, say its classes and press Check. Checking enters nothing.
        </EmptyState>
      </Panel>
    );
  return (
    <Panel
      title="What was found"
      description={
        found.isGood
          ? 'Nothing speaks against it. Notes are worth reading.'
          : 'It cannot be entered like this: the last line says why, and what to do.'
      }
      flush
    >
      <SmallTable
        caption="What was found"
        rows={found.lines.map((line, at) => ({ ...line, at }))}
        rowKey={({ at }) => String(at)}
        empty={null}
        columns={[
          {
            key: 'what',
            title: 'Looked at',
            className: 'whitespace-nowrap',
            cell: ({ what, state }) => (
              <State state={state} tone={tones[state]}>
                {what}
              </State>
            ),
          },
          { key: 'says', title: 'Found', cell: ({ says }) => says },
        ]}
      />
      {found.isGood && (
        <div className="border-t border-line p-3">
          <Button variant="primary" onClick={onEnter}>
            Enter the model
          </Button>
        </div>
      )}
    </Panel>
  );
}
