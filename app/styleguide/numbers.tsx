import { DefinitionList } from '@/app/_ui/definition-list';
import { Panel, Section } from '@/app/_ui/panel';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { State } from '@/app/_ui/state';
import { formatBytes, formatDateTime, formatDuration, formatNumber, formatPercent } from '@/lib/core/format';

const states = ['queued', 'running', 'retrying', 'done', 'failed', 'cancelled', 'collecting', 'paused'];

export function Numbers() {
  return (
    <Section title="Numbers and states">
      <StatStrip>
        <Stat
          label="Images labelled"
          value={formatNumber(18_420)}
          trend={{ difference: 1240, since: '7 d', digits: 0 }}
        />
        <Stat
          label="Pass rate of hidden checks"
          value={formatPercent(0.914)}
          interval="88.7–93.5"
          n={642}
          trend={{ difference: 1.8, unit: ' pp', since: '7 d', better: 'more' }}
          href="/styleguide"
        />
        <Stat label="Mean IoU" value="0.83" interval="0.81–0.85" n={210} />
        <Stat
          label="Cost per image"
          value="0.41 €"
          n={18_420}
          trend={{ difference: 0.03, unit: ' €', since: '7 d', better: 'less', digits: 2 }}
        />
        <Stat label="Time to finish" value={formatDuration(266_400)} interval="2.4–4.1 d" />
      </StatStrip>
      <div className="grid gap-4 lg:grid-cols-2">
        <Panel title="States" description="A word, a shape and a colour; the word alone would do">
          <div className="flex flex-wrap gap-x-6 gap-y-2">
            {states.map((state) => (
              <State key={state} state={state} />
            ))}
          </div>
        </Panel>
        <Panel title="Definition list">
          <DefinitionList
            items={[
              { term: 'Version', value: '7' },
              { term: 'Frozen', value: `${formatDateTime('2026-11-16T02:35:00Z')} UTC` },
              { term: 'Size', value: formatBytes(12_482_300_112) },
              {
                term: 'Hash',
                value: <code className="font-mono text-xs">9f86d081884c7d659a2feaa0c55ad015</code>,
              },
            ]}
          />
        </Panel>
      </div>
    </Section>
  );
}
