import { DefinitionList } from '@/app/_ui/definition-list';
import { Panel } from '@/app/_ui/panel';
import type { JobSpec } from '@/lib/core/training-spec';
import { changedSettings } from '@/lib/services/training/report/changed-settings';
import { specText } from '../spec-text';

/** What was set, and all of the spec for who wants to see it. */
export function SpecDetails({ spec }: { spec: JobSpec }) {
  const changed = Object.entries(changedSettings(spec));
  return (
    <Panel
      title="Settings"
      description={
        changed.length > 0 ? `What differs from the preset ${spec.preset}.` : 'As the preset has them.'
      }
    >
      <div className="flex flex-col gap-3">
        {changed.length > 0 && (
          <DefinitionList
            items={changed.map(([term, value]) => ({
              term,
              value: <span className="font-mono text-xs">{value}</span>,
            }))}
          />
        )}
        <details>
          <summary className="w-fit cursor-pointer text-ink-2">The whole spec</summary>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
            tabIndex={0}
            className="mt-2 max-h-96 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs leading-5"
          >
            {specText(spec)}
          </pre>
        </details>
      </div>
    </Panel>
  );
}
