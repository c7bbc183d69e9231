/** `o.k` and `o[k]` where they are read. */
import type { NodePath } from '@babel/traverse';
import type * as t from '../ast.ts';
import { keyName } from '../names.ts';
import { canWrap, isQuiet, repeatable } from '../objects.ts';
import { isTarget } from '../targets.ts';
import type { Rule } from './rule.ts';

export const membersRead: Rule = {
  name: 'members-read',
  visitor: (ctx) => {
    const visit = (path: t.MemberPath) => {
      const object = path.get('object') as NodePath;
      if (path.key === 'callee' && path.parent.type !== 'NewExpression') return;
      if (isTarget(path) || isQuiet(object)) return;
      const hook = ctx.grouped.get(path.node);
      if (hook !== undefined) {
        if (hook !== '') ctx.wrap(object, hook, ')');
        return;
      }
      // The rule of optional chains sees it.
      if (!canWrap(path)) return;
      const { property, computed } = path.node;
      const key = computed && property.type === 'Identifier' ? null : keyName(property);
      if (key !== null) {
        ctx.wrap(object, `__cov.r(${ctx.site(path, { key, access: 'read' })},`, ')');
        return;
      }
      let receiver = repeatable(object, [property]);
      if (receiver === null) {
        receiver = ctx.temporary(path);
        if (receiver === null) return ctx.skip(path, 'computed member where no variable can be declared');
        ctx.wrap(object, `(${receiver}=`, ')');
      }
      const site = ctx.site(path, { access: 'read' });
      ctx.wrap(path.get('property') as NodePath, `__cov.rk(${site},${receiver},(`, '))');
    };
    return {
      /** `new a.b()` must not become `new hook(a).b()`, which constructs the hook; nor any other callee that begins so. */
      NewExpression(path: NodePath<t.NewExpression>) {
        const callee = path.get('callee') as NodePath;
        if (!callee.isIdentifier()) ctx.wrap(callee, '(', ')');
      },
      MemberExpression: visit,
      OptionalMemberExpression: visit,
    };
  },
};
