/** What a module of `lib/core` or `lib/services` may import, and which of its files are its interface. */
export interface ModuleRules {
  /** The other modules of the area that it imports. */
  imports: string[];
  /**
   * The files that code outside the module may import, by folder of the module: names without extension, separated by
   * spaces. '.' is the folder of the module itself. Tests and benchmarks may import every file.
   */
  publicFiles: Record<string, string>;
}

/**
 * Services may also import `lib/config`, `db` and all modules of `lib/core`. Every entry is in use: an import or a public
 * file that is no longer needed is removed here, and a new one is a decision that a reviewer sees. `npm run docs` prints
 * the table with purposes and exports to `docs/modules.md`.
 */
export const serviceModules: Record<string, ModuleRules> = {
  activity: {
    imports: [],
    publicFiles: {
      '.': 'index',
    },
  },
  storage: {
    imports: [],
    publicFiles: {
      '.': 'index blobs collect-blobs serve-blob',
    },
  },
  observability: {
    imports: ['storage'],
    publicFiles: {
      '.': 'current-work log metric-values metrics readiness span-exporter tracing',
    },
  },
  access: {
    imports: ['activity', 'observability'],
    publicFiles: {
      '.': 'index actor-from-request authorise better-auth page policy request-headers security-headers sessions',
    },
  },
  jobs: {
    imports: ['access', 'observability', 'storage'],
    publicFiles: {
      '.': 'index control-job enqueue job-feed job-row progress queue whole-or-nothing',
    },
  },
  inference: {
    imports: ['jobs', 'observability', 'storage'],
    publicFiles: {
      '.': 'check-export child-client predictions preprocess serve-child serving-contract',
      assists: 'assist-engine fair-queue model-files prompt tensors',
      predict: 'model-process run-model seen-picture view-window',
      runner: 'open-model processes',
    },
  },
  images: {
    imports: ['activity', 'inference', 'jobs', 'storage'],
    publicFiles: {
      '.': 'change-batch change-images derivatives filters get-image image-change image-filter image-history image-outlines list-images list-lookalikes lookalikes matching-images slices',
      ingest:
        'archive class-table find-class ingest-upload label picture-pool project-schema read-picture receive-file store-image uploads',
    },
  },
  accounts: {
    imports: ['access', 'activity'],
    publicFiles: {
      '.': 'index',
    },
  },
  crowd: {
    imports: ['access', 'accounts', 'activity', 'images', 'inference', 'jobs', 'observability', 'storage'],
    publicFiles: {
      '.': 'batch-summary end-running-batches guide-examples oracle',
      consent: 'index texts',
      exams: 'index',
      gold: 'index assign-pool put-in-use rotate-gold',
      guide: 'index example-places',
      overview:
        'consent-counts crowd-stages get-worker gold-use list-payouts list-workers try-rules worker-evidence worker-stages',
      pay: 'index',
      policy: 'change-policy exam-bar set-bar',
      recruit: 'index registry',
      rules: 'switch-rules-on',
      signals: 'compare-answers',
      translations: 'index',
      trust: 'index ask-again confirm-work read-reliability rules-in-force',
      work: 'index ask-first-questions change-following check-answer effective-policy follow-forms follow-objects is-set-aside join-answers lock number-objects own-work pay-for remove-false-positive target-of',
      worker: 'index',
    },
  },
  projects: {
    imports: ['access', 'activity', 'crowd', 'jobs'],
    publicFiles: {
      '.': 'index default-stages',
      schema: 'index expected-questions',
    },
  },
  assists: {
    imports: ['access', 'crowd', 'inference', 'observability', 'storage'],
    publicFiles: {
      '.': 'index install-models',
    },
  },
  curation: {
    imports: ['access', 'activity', 'crowd', 'images', 'inference', 'jobs', 'projects', 'storage'],
    publicFiles: {
      '.': 'setup setup-step-ids',
      agreement: 'drawing-agreement form-agreement stage-agreement',
      audit: 'counted-answers decide-label get-audit-label queue rate-labels samples shortcuts undo-decision',
      consensus: 'build-consensus list-runs methods preview read-items start-run',
      gold: 'index',
      overview: 'busiest-workers compare-workers confusion forecast needs read-dashboard',
    },
  },
  datasets: {
    imports: [
      'access',
      'activity',
      'crowd',
      'curation',
      'images',
      'inference',
      'jobs',
      'projects',
      'storage',
    ],
    publicFiles: {
      '.': 'manifest result-cache',
      exports:
        'archive-layouts export-jobs export-sink export-version list-exports open-export read-pictures',
      freeze: 'assign-splits card freeze-version members plan request',
      import:
        'import-counts import-dataset import-report import-upload plan-import plan-upload render-previews saved-mappings source-trees',
      versions: 'diff-versions list-versions mark-version open-version verify-version version-statistics',
    },
  },
  backup: {
    imports: ['datasets', 'jobs', 'storage'],
    publicFiles: {
      '.': 'archives layout restore-backup write-backup',
    },
  },
  training: {
    imports: ['activity', 'crowd', 'datasets', 'inference', 'jobs', 'observability', 'storage'],
    publicFiles: {
      '.': 'models',
      agent: 'agent',
      launch: 'index python',
      loop: 'predict-images select-next suggestion-effect',
      remote: 'lease receive-events run-inputs take-run',
      report: 'changed-settings compare-runs curves-of estimate-time preview-sheet table-one',
      runs: 'follow-events keep-events list-runs resume-run run-clock start-run supervise-run',
      trainers: 'calibration installation list-trainers',
    },
  },
  evaluations: {
    imports: [
      'access',
      'activity',
      'crowd',
      'curation',
      'datasets',
      'images',
      'inference',
      'jobs',
      'projects',
      'storage',
      'training',
    ],
    publicFiles: {
      '.': 'compare-evaluations evaluation-request gallery leaderboard list-evaluations plan-evaluation request-answers run-evaluation select-images selection start-evaluation variant-pictures',
      crowd: 'ask-round chain-states oracle-stage',
      transfer: 'read-transfer run-transfer start-transfer',
      uploads: 'add-model model-upload',
    },
  },
  invariants: {
    imports: ['crowd', 'storage'],
    publicFiles: {
      '.': 'check-files check-rules',
    },
  },
};

/** Single files in `lib/core` (errors, numbers as text, actors, limits) may be imported by every module of it. */
export const coreModules: Record<string, ModuleRules> = {
  geometry: {
    imports: [],
    publicFiles: {
      '.': 'index',
    },
  },
  i18n: {
    imports: [],
    publicFiles: {
      '.': 'locales pseudo worker-format',
    },
  },
  mask: {
    imports: ['geometry'],
    publicFiles: {
      '.': 'index mask',
    },
  },
  schema: {
    imports: [],
    publicFiles: {
      '.': 'index types',
      presets: 'index',
    },
  },
  splits: {
    imports: [],
    publicFiles: {
      '.': 'index member',
    },
  },
  'training-spec': {
    imports: [],
    publicFiles: {
      '.': 'index',
    },
  },
  quality: {
    imports: ['geometry', 'mask', 'schema'],
    publicFiles: {
      '.': 'agreement answer attribution audit-sample check-rate confirmation distributions exam fair-pay gold-balance group-by history instances interval judge mistakes next-step pay-review policy posterior risk rival10 score score-check sequential traits trust warnings',
      aggregate: 'index masks',
      interaction: 'index',
      rules: 'index',
    },
  },
  editor: {
    imports: ['geometry', 'mask', 'quality', 'schema'],
    publicFiles: {
      '.': 'index key-press shortcuts',
      document: 'limits',
      region: 'outline-shapes',
      view: 'camera',
    },
  },
  formats: {
    imports: ['geometry', 'mask', 'quality', 'schema', 'splits'],
    publicFiles: {
      '.': 'index dataset derive format options prepare',
      codecs: 'csv mat5 npy paint',
      'hf-parquet': 'read',
      mapping: 'index statistics',
      shared: 'annotations raw-source read-tree',
    },
  },
  croissant: {
    imports: ['schema'],
    publicFiles: {
      '.': 'index statements',
    },
  },
  translations: {
    imports: ['formats', 'i18n', 'schema'],
    publicFiles: {
      '.': 'index',
    },
  },
  statistics: {
    imports: ['formats', 'mask', 'quality', 'schema', 'splits'],
    publicFiles: {
      '.': 'index',
    },
  },
  robustness: {
    imports: ['formats', 'quality', 'statistics'],
    publicFiles: {
      '.': 'logits picture random types',
      attacks: 'victim warnings',
      fmr: 'chain generators oracles variants',
      metrics: 'estimates fmr',
      onnx: 'check-contract companion-contracts contract edit-model find-external find-features inspect-model read-model',
      pixels: 'resample',
      report: 'image-scores paired-differences report row-table slice-report',
      saliency: 'compute-saliency maps',
      suites: 'index fmr noise suite',
      variants: 'attributes basic samples',
    },
  },
};
