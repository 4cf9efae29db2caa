import { describe, expect, it } from 'vitest';
import { pathOf } from '@/app/annotate/_path/path';

type Standing = Parameters<typeof pathOf>[0];

const gate = (name: NonNullable<Standing['gate']>['gate']): Standing['gate'] => ({
  gate: name,
  code: 'exam',
  says: '',
  decisionId: null,
  reason: null,
});
const exam = { passed: false, attempts: 0, practice: 'open' as const };
const newcomer: Standing = { gate: gate('consent'), openBatch: null, exam };
const member: Standing = { gate: gate('exam'), openBatch: null, exam };
const open = (kind: 'practice' | 'exam') => ({ id: '', leasedUntil: new Date(0), kind });

describe('the way of a new worker to paid work', () => {
  it('has five steps and begins with the consent', () => {
    expect(pathOf(newcomer, false)).toEqual({
      steps: ['consent', 'guide', 'practice', 'exam', 'work'],
      next: 'consent',
    });
  });

  it.each<[string, Standing, boolean, string]>([
    ['who agreed reads the guide', member, false, 'guide'],
    ['who read it practises', member, true, 'practice'],
    ['who is practising goes on', { ...member, openBatch: open('practice') }, false, 'practice'],
    ['who practised takes the exam', { ...member, exam: { ...exam, practice: 'done' } }, false, 'exam'],
    ['who went straight to the exam is not sent back', { ...member, openBatch: open('exam') }, false, 'exam'],
    ['who failed takes it again', { ...member, exam: { ...exam, attempts: 1 } }, false, 'exam'],
    ['without practice the exam follows', { ...member, exam: { ...exam, practice: 'none' } }, true, 'exam'],
  ])('%s', (_, standing, hasReadGuide, next) => {
    expect(pathOf(standing, hasReadGuide)?.next).toBe(next);
  });

  it('has no exam where the stage has none', () => {
    expect(pathOf({ ...newcomer, exam: null }, false)?.steps).toEqual(['consent', 'guide', 'work']);
  });

  it('is over for who may work', () => {
    expect(pathOf({ ...member, gate: null, exam: { ...exam, passed: true } }, false)).toBeNull();
    expect(pathOf({ ...member, gate: null, exam: null }, false)).toBeNull();
  });
});
