'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState, useTransition } from 'react';
import { callApi } from '@/app/_shell/call-api';
import { Button } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { FormError, Switch } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { toast } from '@/app/_ui/toasts';
import { formatCount } from '@/lib/core/format';
import { cleanText, type TextEntry } from '@/lib/core/translations';
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
  const router = useRouter();
  const groups = groupsOf(entries);
  const [chosen, setChosen] = useState(groups[0]?.name);
  const [isTodoOnly, setTodoOnly] = useState(false);
  const [edits, setEdits] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string>();
  const [pending, startTransition] = useTransition();
  const changes = entries.flatMap((entry) => {
    const { key, number } = entry;
    const text = edits[key];
    return text !== undefined && isUnsaved(entry, text) ? [{ key, number, text }] : [];
  });
  useLeaveWarning(changes.length > 0);

  const edit = ({ key }: TextEntry, text: string) => setEdits((before) => ({ ...before, [key]: text }));
  const discard = ({ key }: TextEntry) => setEdits(({ [key]: _, ...others }) => others);
  const save = () =>
    startTransition(async () => {
      try {
        await callApi('PUT', `/api/v1/projects/${slug}/translations/texts`, { json: { language, changes } });
      } catch (error) {
        setProblem(error instanceof Error ? error.message : 'The server does not answer. Try again.');
        // Somebody else's text is there when the curator takes the own edit back.
        return startTransition(() => router.refresh());
      }
      setProblem(undefined);
      // An edit is no edit any more once the page shows it as stored.
      startTransition(() => router.refresh());
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
                  isUnsaved={isUnsaved(entry, edits[entry.key])}
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

/** A translation that is outdated is saved again as it is when the curator confirms it. */
function isUnsaved({ state, translation }: TextEntry, edit: string | undefined): boolean {
  if (edit === undefined) return false;
  const text = cleanText(edit);
  return text === '' ? state !== 'missing' : state !== 'translated' || text !== translation;
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
