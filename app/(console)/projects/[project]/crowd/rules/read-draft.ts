import type { Query } from '@/app/_ui/table';
import { type RuleSetting, rules } from '@/lib/core/quality/rules';
import { paramsOf } from './rule-params';

const listOf = (value: string | string[] | undefined) => (value === undefined ? [] : [value].flat());

/** Reads draft rules from the query of a URL; null if it contains none. */
export function readDraft(query: Query): { settings: RuleSetting[]; problem: string | null } | null {
  if (query.try === undefined) return null;
  const on = new Set(listOf(query.on));
  const settings = rules.flatMap((rule) => {
    if (!on.has(rule.id)) return [];
    const given = paramsOf(rule).flatMap(({ name }) => {
      const text = listOf(query[`${rule.id}.${name}`])[0]?.trim();
      return text ? [[name, Number(text)] as const] : [];
    });
    return [{ id: rule.id, params: Object.fromEntries(given) }];
  });
  return { settings, problem: problemOf(settings) };
}

function problemOf(settings: RuleSetting[]): string | null {
  for (const { id, params } of settings) {
    const rule = rules.find((each) => each.id === id);
    const issue = rule?.params.safeParse(params).error?.issues[0];
    if (rule && issue) return `${rule.title}, ${String(issue.path[0] ?? 'settings')}: ${issue.message}.`;
  }
  return null;
}
