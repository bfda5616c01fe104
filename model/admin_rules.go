package model

import (
	"net/mail"
	"strings"
)

// Types of administrators. An organization has at most one super administrator, who owns the account.
const (
	AdminSuper    = "super"
	AdminStandard = "standard"
)

// Check reports what is wrong with a new administrator.
func (in AdminInput) Check(ctx CheckContext) Problems { return in.check(ctx, true) }

// CheckUpdate reports what is wrong with a change of an administrator.
func (in AdminInput) CheckUpdate(ctx CheckContext) Problems { return in.check(ctx, false) }

func (in AdminInput) check(ctx CheckContext, creates bool) Problems {
	var ps Problems
	ps.checkName("name", in.Name, "The administrator's name", creates)
	ps.checkName("email", in.Email, "The administrator's email address", creates)
	if email := strings.TrimSpace(in.Email.Value()); email != "" && !isEmail(email) {
		ps.add("email", ErrorInvalid, "Must be an email address such as ana@example.com.")
	}
	ps.checkOptionalPhone(in.Phone, ctx)
	if kind := in.Type.Or(AdminStandard); kind != AdminSuper && kind != AdminStandard {
		ps.add("type", ErrorInvalid, "Must be super or standard.")
	}
	ps.checkMetadata("metadata", in.Metadata.Value())
	return ps
}

func isEmail(text string) bool {
	address, err := mail.ParseAddress(text)
	return err == nil && address.Address == text
}
