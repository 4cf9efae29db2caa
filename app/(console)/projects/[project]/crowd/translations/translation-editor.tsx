'use client';

import { useEffect, useState, useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { FormError, Switch } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { toast } from '@/app/_ui/toasts';
import { formatCount } from '@/lib/core/format';
import type { TextEntry } from '@/lib/core/translations';
import { saveTexts } from './actions';
import { TextRow } from './text-row';

interface TranslationEditorProps {
  slug: string;
  language: string;
  direction: 'ltr' | 'rtl';
  original: string;
  originalDirection: 'ltr' | 'rtl';
  entries: readonly TextEntry[];
  readOnly: boolean;
}

/** Every text beside its translation. Edits stay while the curator moves between groups, until they are saved. */
export function TranslationEditor(props: TranslationEditorProps) {
  const { slug, language, entries, readOnly } = props;
  const groups = groupsOf(entries);
  const [chosen, setChosen] = useState(groups[0]?.name);
  const [isTodoOnly, setTodoOnly] = useState(false);
  // An edit that repeats an outdated translation confirms it.
  const [edits, setEdits] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string>();
  const [pending, startTransition] = useTransition();
  const changes = entries.flatMap(({ key, number }) =>
    edits[key] === undefined ? [] : [{ key, number, text: edits[key] }],
  );
  useLeaveWarning(changes.length > 0);

  const edit = ({ key, state, translation }: TextEntry, text: string) =>
    setEdits(({ [key]: _, ...others }) =>
      text === translation && state !== 'outdated' ? others : { ...others, [key]: text },
    );
  const discard = ({ key }: TextEntry) => setEdits(({ [key]: _, ...others }) => others);
  const save = () =>
    startTransition(async () => {
      const { error } = await saveTexts(slug, { language, changes });
      setProblem(error);
      if (error) return;
      setEdits({});
      toast.success('Saved. Workers see it from their next page on.');
    });

  const group = groups.find(({ name }) => name === chosen) ?? groups[0];
  if (!group) {
    return (
      <Panel>
        <EmptyState title="No texts to translate">Write the guide or the consent text first.</EmptyState>
      </Panel>
    );
  }
  const shown = group.entries.filter(
    ({ key, state }) => !isTodoOnly || state !== 'translated' || edits[key] !== undefined,
  );
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <nav aria-label="Groups of texts" className="flex flex-col gap-1 lg:sticky lg:top-4">
        {groups.map(({ name, entries: own }) => {
          const open = own.filter(({ state }) => state !== 'translated').length;
          return (
            <button
              key={name}
              type="button"
              aria-current={name === group.name ? 'true' : undefined}
              onClick={() => setChosen(name)}
              className="flex min-h-7 items-center gap-2 rounded-sm px-2 py-0.5 text-start text-ink-2 hover:bg-hover hover:text-ink aria-[current]:bg-accent-soft aria-[current]:text-accent"
            >
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <span className="text-xs text-ink-3 tabular-nums">
                {open === 0 ? 'Done' : `${own.length - open}/${own.length}`}
              </span>
            </button>
          );
        })}
        <Switch
          label="Only missing and outdated"
          checked={isTodoOnly}
          onChange={(event) => setTodoOnly(event.target.checked)}
          className="mt-3 px-2"
        />
      </nav>
      <div className="flex min-w-0 flex-col">
        <Panel title={group.name} description={formatCount(group.entries.length, 'text')} flush>
          {shown.length === 0 ? (
            <EmptyState title="Everything here is translated">
              Turn off “Only missing and outdated” to see the texts.
            </EmptyState>
          ) : (
            <ul className="divide-y divide-line">
              {shown.map((entry) => (
                <TextRow
                  key={entry.key}
                  entry={entry}
                  edit={edits[entry.key]}
                  languages={props}
                  readOnly={readOnly}
                  onEdit={(text) => edit(entry, text)}
                  onDiscard={() => discard(entry)}
                />
              ))}
            </ul>
          )}
        </Panel>
        {!readOnly && (
          <div className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t border-line bg-canvas py-3">
            <Button variant="primary" pending={pending} disabled={changes.length === 0} onClick={save}>
              {changes.length === 0 ? 'Save' : `Save ${formatCount(changes.length, 'text')}`}
            </Button>
            {changes.length > 0 && <span className="text-xs text-ink-3">Not saved yet.</span>}
            <FormError>{problem}</FormError>
          </div>
        )}
      </div>
    </div>
  );
}

function groupsOf(entries: readonly TextEntry[]): { name: string; entries: TextEntry[] }[] {
  const groups = new Map<string, TextEntry[]>();
  for (const entry of entries) {
    const name = entry.area === 'guide' ? `Guide: ${entry.group}` : entry.group;
    groups.set(name, [...(groups.get(name) ?? []), entry]);
  }
  return [...groups].map(([name, own]) => ({ name, entries: own }));
}

/** The browser asks before it closes a page with edits that are not saved. */
function useLeaveWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isNeeded]);
}
