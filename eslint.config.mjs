import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

// Who may import what. That only the sender speaks to the outside, only the dispatcher may use it, and only config
// reaches the database is a security property as much as a style one.
const onlyIn = (...packages) => packages;
const OUTSIDE_ADAPTERS = onlyIn('amqplib', 'typeorm', 'pg', 'got');
const layers = [
  {
    sourceTag: 'type:domain',
    onlyDependOnLibsWithTags: ['type:domain'],
    bannedExternalImports: ['@nestjs/*', 'class-validator', 'rxjs', ...OUTSIDE_ADAPTERS],
  },
  {
    sourceTag: 'type:contract',
    onlyDependOnLibsWithTags: ['type:domain', 'type:contract'],
    bannedExternalImports: OUTSIDE_ADAPTERS,
  },
  { sourceTag: 'type:adapter', onlyDependOnLibsWithTags: ['type:domain', 'type:contract'] },
  { sourceTag: 'io:broker', bannedExternalImports: ['typeorm', 'pg', 'got'] },
  { sourceTag: 'io:database', bannedExternalImports: ['amqplib', 'got'] },
  { sourceTag: 'io:http-out', bannedExternalImports: OUTSIDE_ADAPTERS },
  { sourceTag: 'io:http-in', bannedExternalImports: OUTSIDE_ADAPTERS },
  {
    sourceTag: 'type:app',
    onlyDependOnLibsWithTags: ['type:domain', 'type:contract', 'type:adapter'],
    bannedExternalImports: ['amqplib', 'pg', 'got'],
  },
  {
    sourceTag: 'app:ingest',
    notDependOnLibsWithTags: ['io:http-out', 'io:database'],
    bannedExternalImports: ['typeorm'],
  },
  {
    sourceTag: 'app:dispatcher',
    notDependOnLibsWithTags: ['io:database', 'io:http-in'],
    bannedExternalImports: ['typeorm'],
  },
  { sourceTag: 'app:config', notDependOnLibsWithTags: ['io:http-out'] },
  // The page is bundled for browsers and served as files: no service can import it, and it knows no adapter.
  {
    sourceTag: 'type:page',
    onlyDependOnLibsWithTags: ['type:domain', 'type:contract'],
    bannedExternalImports: ['@nestjs/*', 'class-validator', ...OUTSIDE_ADAPTERS],
  },
  { sourceTag: 'type:kit', onlyDependOnLibsWithTags: [], bannedExternalImports: ['*'] },
  // What starts the local broker gives its users the rights that the topology's owner says.
  { sourceTag: 'type:tool', onlyDependOnLibsWithTags: ['type:kit', 'type:domain', 'io:broker'] },
  { sourceTag: 'type:test', onlyDependOnLibsWithTags: ['*'] },
];

// A module says what it needs (docs/nest.md).
const NOT_GLOBAL = [
  'Decorator > CallExpression[callee.name="Global"]',
  'Property[key.name="global"][value.value=true]',
].map((selector) => ({ selector, message: 'No module is global: whoever needs one imports it.' }));

export default tseslint.config(
  { ignores: ['**/dist', '.nx', '.local', '**/*.config.*', '**/*.mjs', '**/generated'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./test/tsconfig.json', './apps/dashboard/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        { depConstraints: layers, allow: ['^(\\.\\./)+apps/'], banTransitiveDependencies: false },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // A template says what a value is where it is shown; ids and numbers need no ceremony.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // A port's implementation may be synchronous where the port promises a promise.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    // `expect(object.method)` is how a spec asks whether it was called.
    files: ['**/*.spec.ts'],
    rules: { '@typescript-eslint/unbound-method': 'off' },
  },
  {
    // What an API or a broker answers has the shape that a test's expectations say; Vitest's matchers are `any` too.
    files: ['**/*.spec.ts', 'test/support/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    // Deliveries leave through the sender alone. The other ways out: config fetches the identity provider's keys, and the
    // operator's command line calls the installation's own services.
    files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
    ignores: [
      '**/*.spec.ts',
      'apps/dashboard/**',
      'apps/config/src/access/tokens/remote-keys.ts',
      'apps/config/src/ops/**',
    ],
    rules: {
      'no-restricted-globals': ['error', { name: 'fetch', message: 'Only libs/sender speaks to the outside.' }],
    },
  },
  {
    // What a statement returns is named where it is read, beside its SQL, not as a type argument in front of it.
    files: ['libs/storage/src/**/*.ts', 'test/**/*.ts'],
    rules: { '@typescript-eslint/no-unnecessary-type-assertion': 'off' },
  },
  {
    // User data is copied by spread only: Object.assign and for-in would follow a member named __proto__.
    files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.object.name='Object'][callee.property.name='assign']",
          message: 'Use spread: Object.assign follows __proto__.',
        },
        { selector: 'ForInStatement', message: 'Use Object.entries: for-in walks the prototype.' },
        ...NOT_GLOBAL,
      ],
    },
  },
);
