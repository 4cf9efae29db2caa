import { describe, expect, it } from 'vitest';
import { area, encodeCounts, rasterizeShapes } from '@/lib/core/mask';
import { validateAttributes } from '@/lib/core/schema';
import { cityscapesParts, rival10 } from '@/lib/core/schema/presets';
import { createRng } from '@/lib/demo/scenes/prng';
import { answerQuestion } from '@/lib/demo/simulation/answer-question';
import {
  type BehaviourName,
  behaviourNames,
  behaviours,
  isBadAt,
  mannerAt,
} from '@/lib/demo/simulation/behaviours';
import { KnownScenes } from '@/lib/demo/simulation/known-scenes';
import { Notebook, type Question } from '@/lib/demo/simulation/question';
import { qualityOf, scoreOutcome } from '@/lib/demo/simulation/score-label';

const scenes = new KnownScenes('rival10');
const classes = rival10.classes.map(({ id }) => id);

function pictureOf(index: number) {
  const className = classes[index % classes.length] as string;
  const name = `${className.toLowerCase()}-${String(index).padStart(5, '0')}.jpg`;
  return { name, className, width: 160, height: 160 };
}

function questionOf(index: number, stageKind: Question['stageKind'] = 'attributes', target = ''): Question {
  const picture = pictureOf(index);
  const scene = scenes.of(picture);
  return { stageKind, schema: rival10, width: 160, height: 160, target, picture: picture.name, scene };
}

const person = (name: BehaviourName, itemsDone = 0, kind: 'work' | 'exam' = 'work', seed = 5) => ({
  behaviour: behaviours[name],
  kind,
  itemsDone,
  notebook: new Notebook(),
  random: createRng(seed),
});

/** How good the attributes of 40 pictures come out. */
function qualityAt(name: BehaviourName, itemsDone: number, kind: 'work' | 'exam' = 'work') {
  const who = person(name, itemsDone, kind);
  return qualityOf(
    Array.from({ length: 40 }, (_, index) => {
      const question = questionOf(index);
      const { value } = answerQuestion(question, who);
      if (!question.scene) throw new Error('The scene is known.');
      return scoreOutcome({ stageKind: 'attributes', target: '', value, mask: null }, question.scene);
    }),
  );
}

const shareWrong = (name: BehaviourName, itemsDone = 0, kind: 'work' | 'exam' = 'work') =>
  qualityAt(name, itemsDone, kind).wrong / 40;

describe('the people of a simulation', () => {
  it('always hand in a form that its rules allow, whoever they are', () => {
    for (const name of behaviourNames) {
      const who = person(name, 200);
      for (let index = 0; index < 30; index++) {
        const { value } = answerQuestion(questionOf(index), who);
        expect(value.kind === 'attributes' && validateAttributes(rival10, value.choices)).toEqual([]);
      }
    }
  });

  it('draw something that covers pixels, or say that there is nothing', () => {
    for (const name of behaviourNames) {
      const who = person(name, 200);
      for (let index = 0; index < 30; index++) {
        const { value } = answerQuestion(questionOf(index, 'object-mask'), who);
        if (value.kind === 'mask') expect(area(rasterizeShapes(value.shapes, 160, 160))).toBeGreaterThan(0);
        else expect(value).toEqual({ kind: 'nothing' });
      }
    }
  });

  it('differ as their names say', () => {
    expect(shareWrong('careful')).toBeLessThan(0.2);
    expect(shareWrong('average')).toBeLessThan(0.45);
    expect(shareWrong('sloppy')).toBeGreaterThan(0.5);
    expect(shareWrong('spammer')).toBeGreaterThan(0.9);
  });

  it('take care in an exam when they mean to cheat afterwards', () => {
    for (const name of ['spammer', 'colluder', 'turncoat'] as const) {
      expect(shareWrong(name, 200, 'exam')).toBeLessThan(0.2);
    }
  });

  it('turn bad after a hundred items and not before', () => {
    expect(shareWrong('turncoat', 99)).toBeLessThan(0.2);
    expect(shareWrong('turncoat', 100)).toBeGreaterThan(0.9);
    expect(isBadAt(behaviours.turncoat, 99)).toBe(false);
    expect(isBadAt(behaviours.turncoat, 100)).toBe(true);
    expect(mannerAt(behaviours.turncoat, 'work', 100).seconds).toBeLessThan(10);
  });

  it('answer alike from the same seed, and otherwise from another', () => {
    const question = questionOf(3, 'object-mask');
    const once = answerQuestion(question, person('average'));
    expect(answerQuestion(question, person('average'))).toEqual(once);
    expect(answerQuestion(question, person('average', 0, 'work', 6))).not.toEqual(once);
  });

  it('answer from nothing but the form when the picture is not of the generator', () => {
    const unknown = { ...questionOf(1), scene: null };
    expect(answerQuestion(unknown, person('careful')).value.kind).toBe('attributes');
    const drawn = answerQuestion({ ...unknown, stageKind: 'object-mask' }, person('careful')).value;
    expect(['mask', 'nothing']).toContain(drawn.kind);
    const oracle = { ...unknown, schema: cityscapesParts, stageKind: 'oracle' as const };
    expect(answerQuestion(oracle, person('careful')).value.kind).toBe('class');
  });

  it('say that there is nothing when they look for a part that is not there', () => {
    const truck = questionOf(classes.indexOf('truck'), 'part-mask', 'beak');
    expect(answerQuestion(truck, person('careful')).value).toEqual({ kind: 'nothing' });
  });
});

describe('colluders', () => {
  it('take care with a question that one of them has met, and copy the answer from then on', () => {
    const shared = new Notebook();
    const colluder = (seed: number) => ({ ...person('colluder', 0, 'work', seed), notebook: shared });
    const question = questionOf(12);
    const scene = question.scene;
    if (!scene) throw new Error('The scene is known.');
    const wrong = (value: ReturnType<typeof answerQuestion>['value']) =>
      scoreOutcome({ stageKind: 'attributes', target: '', value, mask: null }, scene).isWrong;
    const first = answerQuestion(question, colluder(1)).value;
    const second = answerQuestion(question, colluder(2)).value;
    const third = answerQuestion(question, colluder(3)).value;
    expect(wrong(first)).toBe(true);
    expect(wrong(second)).toBe(false);
    expect(third).toEqual(second);
  });

  it('know what they met in an exam', () => {
    const shared = new Notebook();
    const question = questionOf(13);
    const inExam = answerQuestion(question, { ...person('colluder', 0, 'exam'), notebook: shared }).value;
    const atWork = answerQuestion(question, { ...person('colluder', 0, 'work', 9), notebook: shared }).value;
    expect(atWork).toEqual(inExam);
  });
});

describe('scoring against the truth', () => {
  const scene = questionOf(0).scene;
  if (!scene) throw new Error('The scene is known.');
  const counts = encodeCounts(scene.objectMask);
  const whole = { stageKind: 'object-mask' as const, target: '' };

  it('knows a perfect mask, a missing one and one too many', () => {
    const drawn = { kind: 'nothing' } as const;
    expect(scoreOutcome({ ...whole, value: drawn, mask: counts }, scene)).toMatchObject({
      iou: 1,
      isWrong: false,
    });
    expect(scoreOutcome({ ...whole, value: drawn, mask: null }, scene)).toMatchObject({
      iou: 0,
      isWrong: true,
    });
    const absent = { stageKind: 'part-mask' as const, target: 'no-such-part', value: drawn };
    expect(scoreOutcome({ ...absent, mask: counts }, scene)).toMatchObject({ iou: 0, isWrong: true });
    expect(scoreOutcome({ ...absent, mask: null }, scene)).toMatchObject({ iou: null, isWrong: false });
  });

  it('says nothing about what it has not seen', () => {
    expect(qualityOf([])).toEqual({ labels: 0, wrong: 0, precision: null, recall: null, meanIou: null });
  });
});

describe('the pictures of the demo', () => {
  it('are known by name, class and size', () => {
    expect(scenes.of(pictureOf(4))).toBe(scenes.of(pictureOf(4)));
    expect(scenes.of({ ...pictureOf(4), name: 'holiday.jpg' })).toBeNull();
    expect(scenes.of({ ...pictureOf(4), className: null })).toBeNull();
    expect(scenes.of({ ...pictureOf(4), className: 'truck' })).toBeNull();
  });
});
